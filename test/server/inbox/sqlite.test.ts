import { SQLITE_WORDS } from '../../../server/inbox/sqlite.ts'
import { createSqlitePlace } from './places.ts'
import { describeStore } from './store-suite.ts'

describeStore('a store in SQLite', createSqlitePlace, {
  words: SQLITE_WORDS,
  setVersion: (version) => `PRAGMA user_version = ${version}`,
  newerBuild: 'PRAGMA user_version = 99',
})
