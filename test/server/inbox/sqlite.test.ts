import { SQLITE_MIGRATIONS } from '../../../server/inbox/schema.ts'
import { describeCommand } from './command-suite.ts'
import { createSqlitePlace } from './places.ts'
import { describeQueue } from './queue-suite.ts'
import { describeStore } from './store-suite.ts'

describeStore('a store in SQLite', createSqlitePlace, {
  migrations: SQLITE_MIGRATIONS,
  setVersion: (version) => `PRAGMA user_version = ${version}`,
  newerBuild: 'PRAGMA user_version = 99',
})
describeQueue('the mail queue in SQLite', createSqlitePlace)
describeCommand('the inbox command over SQLite', createSqlitePlace)
