import { POSTGRES_WORDS } from '../../../server/inbox/postgres.ts'
import { type PostgresServer, startPostgres } from '../../../tools/harness/postgres.ts'
import { describeCommand } from './command-suite.ts'
import { createPostgresPlace } from './places.ts'
import { describeQueue } from './queue-suite.ts'
import { describeStore } from './store-suite.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
const createPlace = () => createPostgresPlace(server)

describeStore('a store in PostgreSQL', createPlace, {
  words: POSTGRES_WORDS,
  setVersion: (version) =>
    `CREATE TABLE inbox_schema (version integer NOT NULL); INSERT INTO inbox_schema VALUES (${version})`,
  newerBuild: 'UPDATE inbox_schema SET version = 99',
})
describeQueue('the mail queue in PostgreSQL', createPlace)
describeCommand('the inbox command over PostgreSQL', createPlace)
