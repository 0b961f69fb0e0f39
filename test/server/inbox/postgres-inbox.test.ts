import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { transact } from '../../../server/inbox/postgres/transact.ts'
import { startPostgres } from '../../../tools/harness/postgres.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createMessage, type TestInbox as Inbox, soon } from '../../support/inbox.ts'
import { describeCommands } from './command-suite.ts'
import { describeInbox } from './inbox-suite.ts'
import { describeMailQueue } from './mail-suite.ts'
import { createPostgresPlace, setUpPlace, setUpPostgres } from './places.ts'
import { runCommand } from './run-command.ts'
import { describeUpkeep } from './upkeep-suite.ts'

const server = setUpPostgres()
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
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
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

describe('one store in PostgreSQL', () => {
  const place = setUpPlace(createPlace)

  const keep = (inbox: Inbox, deadline?: number) => inbox.keep(createMessage(), deadline)
  const count = async (inbox: Inbox) => (await inbox.waiting()).counts.new

  async function set(parameter: string): Promise<void> {
    await place.tamper(`ALTER DATABASE ${new URL(place.url).pathname.slice(1)} SET ${parameter}`)
  }

  describe('an inbox in PostgreSQL', () => {
    test('is created again after its tables were dropped', async () => {
      const inbox = place.open()
      await keep(inbox)
      await place.tamper('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      await expect(keep(inbox)).rejects.toMatchObject({ reason: 'missing' })
      expect(await keep(inbox)).toMatchObject({ repeated: false })
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
      const within = transact(pool, options, (each) => each.query(`SELECT concat(${settings})`))
      expect(await within).toEqual([{ concat: 'read committedon' }])
      await pool.end()
    })

    test('reports a read-only database', async () => {
      const inbox = place.open()
      await keep(inbox)
      await set('default_transaction_read_only = on')
      await expect(keep(place.open())).rejects.toMatchObject({ reason: 'read-only' })
    })

    test('is refused in an encoding that is not UTF-8', async () => {
      await place.tamper("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
      const url = `${place.url.slice(0, place.url.lastIndexOf('/'))}/latin`
      await expect(place.open({ url }).open()).rejects.toMatchObject({
        reason: 'wrong-encoding',
      })
    })

    test.each([
      'sslmode=verify-full',
      'sslrootcert=/no/such/file',
      'options=-c%20fsync=off',
      'options=-c%20no_such_setting=1',
    ])('cannot open with %s in its URL', async (parameter) => {
      const inbox = place.open({ url: `${place.url}?${parameter}` })
      await expect(inbox.open()).rejects.toMatchObject({ reason: 'cannot-open' })
    })

    test('never logs a password', async () => {
      const log: string[] = []
      const note = (details: object, text: string) => log.push(JSON.stringify([details, text]))
      const url = place.url.replace('postgres@', 'nobody:secret@')
      const inbox = place.open({ url, log: { info: note, warn: note, error: note } })
      const fault = await inbox.open().catch((error) => error)
      expect(fault).toMatchObject({ reason: 'cannot-open' })
      const words = '"code":"28000","detail":"role \\"nobody\\" does not exist"'
      expect(log).toEqual([expect.stringContaining(words)])
      expect(log.join() + fault.message + fault.cause).not.toContain('secret')
    })

    test('names pg_dump in place of a backup', async () => {
      await place.open().open()
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
      expect(await keep(inbox)).toEqual({ ...first, repeated: true })
    })
  })

  describe('while no standby answers', () => {
    const setStandby = (names: string) =>
      place.read(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
    const reload = () => place.read('SELECT pg_reload_conf()')
    afterEach(async () => {
      await setStandby('')
      await reload()
    })

    test('an inbox leaves no connection behind, and works again with the standby', async () => {
      const inbox = place.open()
      await inbox.open()
      await setStandby('nowhere')
      await reload()
      const connections = `SELECT count(*) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'inbox'`
      for (let round = 0; round < 3; round += 1) {
        const calls = Array.from({ length: 6 }, () => keep(inbox, Date.now() + 1000))
        const outcomes = await Promise.allSettled(calls)
        expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
      }
      const [row] = await place.read(connections)
      expect(Number(row?.count)).toBeLessThanOrEqual(5)
      const closed = place.open()
      await expect(closed.open(Date.now() + 1000)).rejects.toMatchObject({ reason: 'unconfirmed' })
      await closed.close()
      await setStandby('')
      await reload()
      await until(() => inbox.state() === 'open')
      expect(await keep(inbox)).toMatchObject({ repeated: true })
    })
  })

  test.each(['fsync=off', 'full_page_writes=off'])('%s is refused', async (setting) => {
    const careless = await startPostgres([setting])
    const inbox = place.open({ url: await careless.createDatabase() })
    await expect(inbox.open()).rejects.toMatchObject({ reason: 'weak-durability' })
    await inbox.close()
    await careless.stop()
  })

  describe('an inbox in PostgreSQL over a network that falls silent', () => {
    let network: Awaited<ReturnType<typeof startSilentNetwork>>
    let distant: Inbox
    beforeEach(async () => {
      network = await startSilentNetwork(server.port)
      distant = place.open({ url: place.url.replace(`:${server.port}`, `:${network.port}`) })
      await distant.open()
    })
    afterEach(() => network.close())

    test('connects again if the network fell silent during the first connection', async () => {
      const url = place.url.replace(`:${server.port}`, `:${network.port}`)
      const late = place.open({ url, connectTimeoutMs: 300 })
      network.silenceAfter('BEGIN')
      await expect(late.open()).rejects.toMatchObject({ reason: 'deadline' })
      network.silenceAfter('nothing')
      await until(() => late.state() === 'open')
    })

    test('keeps no request whose INSERT is not answered', async () => {
      network.silenceAfter('INSERT')
      await expect(keep(distant, Date.now() + 400)).rejects.toMatchObject({ reason: 'deadline' })
      const inbox = place.open()
      // This call waits for the locks of the lost connection.
      expect(await keep(inbox)).toMatchObject({ repeated: false })
      expect(await count(inbox)).toBe(1)
    })

    test('rejects as unconfirmed when a COMMIT is not answered; a repetition finds the message', async () => {
      network.silenceAfter('COMMIT\0')
      await expect(keep(distant, Date.now() + 400)).rejects.toMatchObject({ reason: 'unconfirmed' })
      expect(await keep(place.open())).toMatchObject({ repeated: true })
    })
  })
})
