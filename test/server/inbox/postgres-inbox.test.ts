import { type PostgresServer, startPostgres } from '../../../tools/harness/postgres.ts'
import { describeCommands } from './command-suite.ts'
import { describeInbox } from './inbox-suite.ts'
import { describeMailQueue } from './mail-suite.ts'
import { createPostgresPlace } from './postgres-place.ts'
import { describeUpkeep } from './upkeep-suite.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

const createPlace = () => createPostgresPlace(server)
describeInbox('an inbox in PostgreSQL', createPlace)
describeMailQueue('the mail queue of an inbox in PostgreSQL', createPlace)
describeUpkeep('the upkeep of an inbox in PostgreSQL', createPlace)
describeCommands('the inbox command over PostgreSQL', createPlace)
