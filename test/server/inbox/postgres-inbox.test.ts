import { connect, createServer, type Socket } from 'node:net'
import { jest } from '@jest/globals'
import pg from 'pg'
import { describeUnavailable, explainUnavailable } from '../../../server/inbox/inbox-errors.ts'
import { inTransaction } from '../../../server/inbox/postgres/transaction.ts'
import { type PostgresServer, startPostgres } from '../../../tools/harness/postgres.ts'
import { listenLocally } from '../../../tools/harness/process.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createLines } from '../../support/fake-mailer.ts'
import { createMessage, type TestInbox as Inbox, soon } from '../../support/inbox.ts'
import { describeCommands } from './command-suite.ts'
import { describeInbox } from './inbox-suite.ts'
import { describeMailQueue } from './mail-suite.ts'
import { createPostgresPlace, keepMessages, runCommand, setUpPlace } from './places.ts'
import { describeUpkeep } from './upkeep-suite.ts'

const MINUTE_MS = 60_000

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

/** A proxy that loses the server's answers while its connections stay open. */
async function startSilentNetwork(serverPort: number) {
  const sockets = new Set<Socket>()
  let trigger: string | undefined

  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    let isSilent = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (bytes) => {
      isSilent ||= trigger !== undefined && bytes.includes(trigger)
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!isSilent) client.write(bytes)
    })
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  return {
    port: await listenLocally(proxy),
    /** Once a client has sent this word, the proxy drops the answers on the client's connection. */
    silenceAfter(word: string) {
      trigger = word
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

describe('an inbox in PostgreSQL', () => {
  const place = setUpPlace(createPlace)

  const keep = (inbox: Inbox, deadline?: number) => inbox.keep(createMessage(), deadline)
  const count = async (inbox: Inbox) => (await inbox.countByStatus()).new

  async function set(parameter: string): Promise<void> {
    await place.tamper(`ALTER DATABASE ${new URL(place.url).pathname.slice(1)} SET ${parameter}`)
  }

  test('is created again after its tables were dropped', async () => {
    const inbox = place.open()
    await keep(inbox)
    await place.tamper('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await expect(keep(inbox)).rejects.toMatchObject({ reason: 'missing' })
    expect(await keep(inbox)).toMatchObject({ outcome: 'accepted' })
  })

  test('commits to the disk and sees other commits, whatever the database is set to', async () => {
    await set('synchronous_commit = off')
    await set("default_transaction_isolation = 'serializable'")
    // Ignore errors: the database may be dropped before the server has closed the connections of this pool.
    const pool = new pg.Pool({ connectionString: place.url }).on('error', () => {})
    const show = () => pool.query('SHOW synchronous_commit').then(({ rows }) => rows)
    expect(await show()).toEqual([{ synchronous_commit: 'off' }])
    const options = { deadline: soon(), readOnly: false, closing: new Promise<void>(() => {}) }
    const settings = `current_setting('transaction_isolation'), current_setting('synchronous_commit')`
    const within = inTransaction(pool, options, (each) => each.query(`SELECT concat(${settings})`))
    expect(await within).toEqual([{ concat: 'read committedon' }])
    await pool.end()
  })

  test('is unavailable when the server cannot work, and says why', async () => {
    const inbox = place.open()
    await inbox.probe()
    await place.tamper(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE 'of a visitor' USING ERRCODE = TG_ARGV[0];
      END $$`)
    for (const [code, reason] of [
      ['0A000', 'server-fault'],
      ['26000', 'server-fault'],
      ['53200', 'server-fault'],
      ['55000', 'server-fault'],
      ['XX000', 'server-fault'],
      ['25006', 'read-only'],
      ['25P04', 'deadline'],
      ['40001', 'locked'],
      ['53100', 'full'],
      ['58P01', 'disk-fault'],
      ['XX002', 'damaged'],
    ]) {
      await place.tamper(`CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON messages
        FOR EACH ROW EXECUTE FUNCTION fail('${code}')`)
      const error = await keep(inbox).catch((error) => error)
      expect([code, error.reason]).toEqual([code, reason])
      expect(explainUnavailable(error)).toMatch(/\.$/)
      expect(JSON.stringify(describeUnavailable(error))).not.toContain('visitor')
    }
    await place.tamper(`CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON messages
        FOR EACH ROW EXECUTE FUNCTION fail('22001')`)
    await expect(keep(inbox)).rejects.toThrow('refused the statement with SQLSTATE 22001')
  })

  test('cannot open without its schema', async () => {
    await set('search_path = nowhere')
    const error = await keep(place.open()).catch((error) => error)
    expect(error).toMatchObject({ reason: 'cannot-open' })
    expect(explainUnavailable(error)).toContain('search_path')
  })

  test('is refused in an encoding that is not UTF-8', async () => {
    await place.tamper("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    const url = `${place.url.slice(0, place.url.lastIndexOf('/'))}/latin`
    await expect(place.open({ url }).probe()).rejects.toMatchObject({
      reason: 'wrong-encoding',
    })
  })

  test.each(['sslmode=verify-full', 'sslrootcert=/no/such/file', 'options=-c%20fsync=off'])(
    'cannot open with %s in its URL',
    async (parameter) => {
      const inbox = place.open({ url: `${place.url}?${parameter}` })
      await expect(inbox.probe()).rejects.toMatchObject({ reason: 'cannot-open' })
    },
  )

  test('never logs a password', async () => {
    const { lines, log } = createLines()
    const url = place.url.replace('postgres@', 'nobody:secret@')
    const inbox = place.open({ url, log })
    const fault = await inbox.probe().catch((error) => error)
    expect(fault).toMatchObject({ reason: 'cannot-open' })
    const words = { code: '28000', detail: 'role "nobody" does not exist' }
    expect(lines.map(([, , details]) => details)).toEqual([expect.objectContaining(words)])
    expect(JSON.stringify(lines) + fault.message + fault.cause).not.toContain('secret')
  })

  test('names pg_dump in place of a backup, and VACUUM after an erasure', async () => {
    const [reference = ''] = await keepMessages(place, [{}])
    const { out } = await runCommand(place, ['erase', reference])
    expect(out).toMatch(/^Messages erased: 1\nOlder backups .*\n.* VACUUM /)
    const refusal = { status: 1, out: '', err: expect.stringContaining('pg_dump') }
    expect(await runCommand(place, ['backup', 'copy'])).toEqual(refusal)
  })

  test('works again after its server was down', async () => {
    const inbox = place.open()
    const first = await keep(inbox)
    await server.kill()
    await expect(keep(inbox)).rejects.toMatchObject({ reason: 'cannot-open' })
    expect(inbox.state()).toBe('unavailable')
    await server.start()
    await until(() => inbox.state() === 'open')
    expect(await keep(inbox)).toEqual({ ...first, outcome: 'replayed' })
  })

  describe('while no standby answers', () => {
    async function setStandby(names: string): Promise<void> {
      await place.read(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
      await place.read('SELECT pg_reload_conf()')
    }
    afterEach(() => setStandby(''))

    test('leaves no connection behind, works again with the standby, and closes', async () => {
      const inbox = place.open()
      let count = 0
      // Equal messages of one address would wait for each other.
      const fails = () => {
        count += 1
        const message = createMessage({ message: `Message ${count}`, address: `${count}` })
        const kept = inbox.keep(message, Date.now() + 1000)
        return kept.then(
          () => false,
          () => true,
        )
      }
      await inbox.probe()
      await setStandby('nowhere')
      await until(fails)
      for (let round = 0; round < 3; round += 1) {
        expect(await Promise.all(Array.from({ length: 6 }, fails))).toEqual(Array(6).fill(true))
      }
      // The server may still end a connection that was destroyed before its COMMIT.
      await until(async () => {
        const connections = await place.read(`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'inbox'`)
        return connections.length <= 5
      })
      await setStandby('')
      await until(() => inbox.state() === 'open')
      expect(await keep(inbox)).toMatchObject({ outcome: 'accepted' })
      await setStandby('nowhere')
      await until(fails)
      await inbox.close()
    })
  })

  test.each([10 * MINUTE_MS, -10 * MINUTE_MS])('one of two leases, %d ms apart', async (error) => {
    const { now } = Date
    /** Runs `work` on the second machine. */
    async function onWrong<Value>(work: () => Promise<Value>): Promise<Value> {
      const spy = jest.spyOn(Date, 'now').mockImplementation(() => now() + error)
      try {
        return await work()
      } finally {
        spy.mockRestore()
      }
    }
    /** Expects `duration`, or up to a minute less: time passes during the test. */
    const expectAlmost = (rest: number | undefined, duration: number) => {
      expect(Number(rest)).toBeGreaterThan(duration - MINUTE_MS)
      expect(Number(rest)).toBeLessThanOrEqual(duration)
    }
    const [right, wrong] = [place.open(), place.open()]
    // Open both before the clock changes: a deadline must not begin by one clock and end by the other.
    await Promise.all([right.probe(), wrong.probe()])
    const lease = { limit: 10, leaseMs: 5 * MINUTE_MS }
    const { receivedAt } = await onWrong(() => keep(wrong))
    expectAlmost(Date.parse(receivedAt) - now(), 0)
    const [mail] = await right.lease(lease)
    if (!mail) throw new Error('no mail is due')
    expect(await onWrong(() => wrong.lease(lease))).toEqual([])
    expectAlmost(await onWrong(() => wrong.nextDueIn()), lease.leaseMs)
    const later = { kind: 'later', afterMs: 8 * MINUTE_MS, error: '451' } as const
    await onWrong(() => wrong.settle(mail, later))
    expect(await right.lease(lease)).toEqual([])
    expectAlmost(await right.nextDueIn(), later.afterMs)
    expect(await onWrong(() => wrong.repairTimes())).toBe(0)
  })

  test.each(['fsync=off', 'full_page_writes=off'])('%s is refused', async (setting) => {
    const careless = await startPostgres([setting])
    const inbox = place.open({ url: await careless.createDatabase() })
    await expect(inbox.probe()).rejects.toMatchObject({ reason: 'weak-durability' })
    await inbox.close()
    await careless.stop()
  })

  describe('over a network that falls silent', () => {
    let network: Awaited<ReturnType<typeof startSilentNetwork>>
    let distant: Inbox
    beforeEach(async () => {
      network = await startSilentNetwork(server.port)
      distant = place.open({ url: place.url.replace(`:${server.port}`, `:${network.port}`) })
      await distant.probe()
    })
    afterEach(() => network.close())

    test('connects again if the network fell silent during the first connection', async () => {
      const url = place.url.replace(`:${server.port}`, `:${network.port}`)
      // Long enough for a busy machine to connect; each check may take twice as long.
      const late = place.open({ url, connectTimeoutMs: 2000 })
      network.silenceAfter('BEGIN')
      await expect(late.probe()).rejects.toMatchObject({ reason: 'deadline' })
      network.silenceAfter('nothing')
      await until(() => late.state() === 'open')
    })

    test('keeps no request whose INSERT is not answered', async () => {
      network.silenceAfter('INSERT')
      await expect(keep(distant, Date.now() + 400)).rejects.toMatchObject({ reason: 'deadline' })
      const inbox = place.open()
      // This call waits for the locks of the lost connection.
      expect(await keep(inbox)).toMatchObject({ outcome: 'accepted' })
      expect(await count(inbox)).toBe(1)
    })

    test('rejects as unconfirmed when a COMMIT is not answered; a repetition finds the message', async () => {
      network.silenceAfter('COMMIT\0')
      // Far enough for a busy machine to send the COMMIT before.
      await expect(keep(distant, Date.now() + 5000)).rejects.toMatchObject({
        reason: 'unconfirmed',
      })
      expect(await keep(place.open())).toMatchObject({ outcome: 'replayed' })
    })
  })
})
