import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { eraseMessages, purge } from '../../../server/inbox/erase.ts'
import { keepMessage } from '../../../server/inbox/keep-message.ts'
import { importMessages } from '../../../server/inbox/messages.ts'
import type { Store } from '../../../server/inbox/store.ts'
import { archive, release, retry } from '../../../server/inbox/triage.ts'
import { type PostgresServer, startPostgres } from '../../../tools/harness/postgres.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createLines } from '../../support/fake-mailer.ts'
import { createFolder } from '../../support/folders.ts'
import { createMessage, createStored, DAY_MS, PERIODS } from '../../support/inbox.ts'
import { describeCommand } from './command-suite.ts'
import { createTestPostgres, setUpStore } from './databases.ts'
import { describeQueue } from './queue-suite.ts'
import { describeStore } from './store-suite.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres(['fsync=off'])
})
afterAll(() => server.stop())
const createDatabase = () => createTestPostgres(server.url)

describeStore('a store in PostgreSQL', createDatabase, 'UPDATE inbox_schema SET version = 99')
describeQueue('the mail queue in PostgreSQL', createDatabase)
describeCommand('the inbox command over PostgreSQL', createDatabase)

describe('a store in PostgreSQL', () => {
  const { database, store, clock, keep, run } = setUpStore(createDatabase)
  const folder = createFolder()
  const keepIn = (other: Store) => keepMessage(other, createMessage())

  test('works again after its server was down, without a restart', async () => {
    const first = await keepIn(store)
    await server.kill()
    await expect(keepIn(store)).rejects.toMatchObject({ reason: 'cannot-open' })
    expect(store.state()).toBe('unavailable')
    await server.start()
    await until(() => store.state() === 'open')
    expect(await keepIn(store)).toEqual({ ...first, outcome: 'repeated' })
  })

  test('commits to the disk, whatever the database is set to', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await database.tamper(`ALTER DATABASE ${name} SET synchronous_commit = off`)
    const [row] = await database.open().transaction((db) => db.query('SHOW synchronous_commit'))
    expect(row).toEqual({ synchronous_commit: 'on' })
  })

  test('says why it is unavailable, and logs neither a password nor a text of a visitor', async () => {
    const { lines, log } = createLines()
    await keep()
    await database.tamper(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE 'of a visitor' USING ERRCODE = TG_ARGV[0];
      END $$`)
    for (const [code, reason] of [
      ['25006', 'read-only'],
      ['40001', 'locked'],
      ['53100', 'full'],
      ['57014', 'cannot-open'],
      ['XX000', 'cannot-open'],
    ]) {
      await database.tamper(`CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON messages
        FOR EACH ROW EXECUTE FUNCTION fail('${code}')`)
      await expect(keepIn(database.open({ log }))).rejects.toMatchObject({ reason })
    }
    await database.tamper(`CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON messages
      FOR EACH ROW EXECUTE FUNCTION fail('22001')`)
    await expect(keepIn(store)).rejects.toThrow('refused SQL with SQLSTATE 22001')
    const secret = database.open({ url: database.url.replace('postgres@', 'nobody:secret@'), log })
    await expect(keepIn(secret)).rejects.toMatchObject({ reason: 'cannot-open', code: '28000' })
    expect(lines.filter(([level]) => level === 'error')).toHaveLength(6)
    expect(JSON.stringify(lines)).not.toMatch(/visitor|secret/)
  })

  // As settleMail does: the row of the outbox, then that of the message.
  test.each<[string, (reference: string) => Promise<unknown>]>([
    ['erase', (reference) => eraseMessages(store, { reference })],
    ['purge', () => purge(store, PERIODS)],
    [
      'import',
      (reference) => importMessages(store, [createStored({ reference, status: 'mailed' })]),
    ],
    ['retry', () => retry(store)],
    ['release', (reference) => release(store, reference)],
    ['archive', (reference) => archive(store, reference)],
  ])('%s waits for the mail loop, and neither ends in a deadlock', async (name, change) => {
    const reference = await keep(name === 'release' ? { trapped: ['url'] } : {})
    clock.time += 731 * DAY_MS
    await purge(store, PERIODS)
    clock.time += DAY_MS
    const settling = new pg.Client({ connectionString: database.url })
    await settling.connect()
    await settling.query('BEGIN')
    await settling.query('UPDATE outbox SET token = NULL WHERE id = $1', [reference])
    const changed = change(reference)
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    await until(async () => (await database.read(waiting)).length > 0)
    await settling.query("UPDATE messages SET status = 'dead' WHERE reference = $1", [reference])
    await settling.query('COMMIT')
    await settling.end()
    await changed
  })

  test('is backed up as an export, which an import reads', async () => {
    const file = join(folder, 'copy.jsonl')
    const references = [await keep(), await keep({ trapped: ['url'] })]
    expect((await run('backup', file))[0]).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe((await run('export', '--format', 'jsonl'))[1])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await database.tamper('TRUNCATE messages CASCADE')
    expect((await run('import', file))[0]).toBe(0)
    expect((await run('list'))[1].match(/RG-\w+-\w+/g)).toEqual(references.toReversed())
    expect((await run('restore', file))[1]).toContain('import FILE.jsonl')
  })
})
