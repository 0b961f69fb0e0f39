import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createHitStore } from '../../../server/contact/limit.ts'
import { formatCell, formatCsv } from '../../../server/inbox/command/export.ts'
import { keepMessage } from '../../../server/inbox/keep-message.ts'
import { leaseMail, settleMail } from '../../../server/inbox/mail-queue.ts'
import { countErrors } from '../../../server/inbox/measure.ts'
import { listMessages } from '../../../server/inbox/messages.ts'
import { startRetention } from '../../../server/inbox/retention.ts'
import type { Store } from '../../../server/inbox/store.ts'
import { CLI } from '../../../tools/harness/project.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createLines } from '../../support/fake-mailer.ts'
import { createMessage, createStored, DAY_MS, PERIODS } from '../../support/inbox.ts'
import { describeCommand } from './command-suite.ts'
import { createTestSqlite, setUpStore } from './databases.ts'
import { describeQueue } from './queue-suite.ts'
import { describeStore } from './store-suite.ts'

describeStore('a store in SQLite', createTestSqlite, 'PRAGMA user_version = 99')
describeQueue('the mail queue in SQLite', createTestSqlite)
describeCommand('the inbox command over SQLite', createTestSqlite)

const { database, store, clock, backups, open, keep, run } = setUpStore(createTestSqlite)
const CANARY = 'Zqxcanary'

const list = async (from: Store = store) =>
  (await listMessages(from, {})).map(({ reference }) => reference)

/** Files of the store that contain the text. */
function findText(text: string): string[] {
  const folder = dirname(database.path)
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text))
}

/** Runs the inbox command as a process, behind a shell command such as a limit. */
function runProcess(shell: string, ...args: string[]) {
  const { NODE_COMPILE_CACHE } = process.env
  const env = { DATABASE_URL: `sqlite:${database.path}`, LC_ALL: 'C', NODE_COMPILE_CACHE }
  const script = ['-c', `${shell}; exec "$0" "$@"`, process.execPath, CLI, ...args]
  return spawnSync('sh', script, { encoding: 'utf8', env, cwd: database.folder })
}

test('is durable and private', async () => {
  await keep()
  const pragmas = await store.sqlite?.((database) =>
    ['journal_mode', 'synchronous', 'secure_delete', 'foreign_keys'].map((name) =>
      Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {}),
    ),
  )
  expect(pragmas?.flat()).toEqual(['wal', 2, 1, 1])
  const modes = readdirSync(dirname(database.path)).map((name) =>
    (statSync(join(dirname(database.path), name)).mode & 0o777).toString(8),
  )
  expect(modes).toEqual(['600', '600', '600'])
  expect((statSync(dirname(database.path)).mode & 0o777).toString(8)).toBe('700')
})

describe('the mode of its file', () => {
  const open644 = async () => {
    const { lines, log } = createLines()
    await keep()
    await store.close()
    chmodSync(database.path, 0o644)
    await list(open({ log }))
    return lines.filter(([level]) => level === 'warn')
  }

  test('is corrected', async () => {
    expect(await open644()).toEqual([])
    expect(statSync(database.path).mode & 0o777).toBe(0o600)
  })

  test('is a warning where it cannot be corrected, and the store is used all the same', async () => {
    await keep()
    await store.close()
    chmodSync(database.path, 0o644)
    const refuse =
      'const { default: fs } = await import("fs"); fs.chmodSync = () => { throw new Error("EPERM") }'
    const sync = `(await import("module")).syncBuiltinESMExports()`
    const preload = encodeURIComponent(`${refuse}; ${sync}`)
    const { status, stdout, stderr } = runProcess(
      `export NODE_OPTIONS='--import=data:text/javascript,${preload}'`,
      'list',
    )
    expect([status, stdout]).toEqual([0, expect.stringMatching(/RG-/)])
    expect(stderr).toContain('others can read the file of the inbox')
  })
})

describe('a file that was moved away', () => {
  const moveAll = (from: string, to: string) => {
    for (const suffix of ['', '-wal', '-shm']) renameSync(from + suffix, to + suffix)
  }
  const away = () => join(database.folder, 'away.sqlite')
  const REPLACED = { reason: 'replaced' }

  test('gets nothing more until the same file is back', async () => {
    const first = await keep()
    moveAll(database.path, away())
    await expect(keep()).rejects.toMatchObject(REPLACED)
    expect(store.state()).toBe('unavailable')
    // No new, empty store takes its place.
    expect(readdirSync(dirname(database.path))).toEqual([])
    moveAll(away(), database.path)
    const second = await keep()
    expect(await list()).toEqual([first, second])
    await until(() => store.state() === 'open')
  })

  test('is not replaced by another before a restart', async () => {
    const first = await keep()
    const other = createTestSqlite()
    await keepMessage(other.open(), createMessage({ message: 'Another store' }))
    moveAll(database.path, away())
    moveAll(other.path, database.path)
    await expect(keep()).rejects.toMatchObject(REPLACED)
    await store.close()
    expect(await listMessages(open(), {})).toMatchObject([{ message: 'Another store' }])
    using moved = new DatabaseSync(away())
    expect(moved.prepare('SELECT reference FROM messages').all()).toMatchObject([
      { reference: first },
    ])
    await other.close()
  })
})

describe('a store that cannot be written', () => {
  test('is opened anew once it is there, without a restart', async () => {
    const blocker = dirname(database.path)
    writeFileSync(blocker, 'a file in place of the folder')
    await expect(keep()).rejects.toMatchObject({ reason: 'cannot-open' })
    rmSync(blocker)
    expect(await list()).toEqual([])
    const reference = await keep()
    expect(await list()).toEqual([reference])
  })

  test('a folder, a file that is no database, and a damaged one are named', async () => {
    mkdirSync(database.path, { recursive: true })
    await expect(keep()).rejects.toMatchObject({ reason: 'not-a-file' })
    rmSync(database.path, { recursive: true })
    writeFileSync(database.path, 'x'.repeat(10_000))
    await expect(keep()).rejects.toMatchObject({ reason: 'damaged' })
    rmSync(database.path)
    await keep()
    await store.close()
    truncateSync(database.path, 40_000)
    expect((await run('verify'))[0]).toBe(3)
  })
})

describe('an erasure', () => {
  test('leaves no byte of the text in the files, while the site runs', async () => {
    const references: string[] = []
    for (let count = 0; count < 45; count += 1) {
      const isErased = count % 3 === 0
      const word = `${isErased ? CANARY : 'Harmless'}${count}`
      const reference = await keep({
        firstName: word,
        email: `${word}@exemple.ca`,
        message: `${word} `.repeat(1 + ((count * 74) % 200)),
        network: word,
      })
      if (isErased) references.push(reference)
      const mail = await leaseMail(store, { leaseMs: 1000, spacingMs: 0, many: 1000 })
      if (mail) await settleMail(store, mail, { kind: 'later', afterMs: DAY_MS, error: word })
    }
    expect(findText(CANARY)).toContain('inbox.sqlite-wal')
    for (const reference of references.slice(1)) expect((await run('erase', reference))[0]).toBe(0)
    expect((await run('erase', '--email', `${CANARY}0@exemple.ca`))[0]).toBe(0)
    expect(findText(CANARY)).toEqual([])
    expect(await list()).toHaveLength(30)
    expect((await run('verify'))[0]).toBe(0)
  })

  test('fails while another program reads the files, and is finished by a purge', async () => {
    const reference = await keep({ message: CANARY.repeat(200) })
    using reader = new DatabaseSync(database.path)
    reader.exec('BEGIN; SELECT * FROM messages')
    const { status, stderr } = runProcess(':', 'erase', reference)
    expect([status, stderr]).toEqual([1, expect.stringContaining('purge')])
    reader.exec('COMMIT')
    expect((await run('purge'))[0]).toBe(0)
    expect(findText(CANARY)).toEqual([])
  })

  test('by retention leaves no text and no network address either', async () => {
    await keep({ message: CANARY.repeat(200), network: `${CANARY} a` })
    await createHitStore(store, 2, DAY_MS).increment(`${CANARY} b`)
    const lines: [object, string][] = []
    const add = (fields: object, text: string) => void lines.push([fields, text])
    const log = { info: add, warn: add } as never
    const runRetention = async (count: number) => {
      const retention = startRetention({ store, periods: PERIODS, backupDays: 14, log })
      await until(() => lines.length === count)
      // Its turn comes after that of the retention.
      await store.sqlite?.(() => {})
      await store.sqlite?.(() => {})
      retention.stop()
    }
    clock.time += 731 * DAY_MS
    await runRetention(1)
    clock.time += DAY_MS
    await runRetention(2)
    expect(lines.map(([fields, text]) => [fields, text.split(';')[0]])).toEqual([
      [{ count: 1 }, 'messages have expired and will be erased in a day'],
      [{ count: 1 }, 'expired messages erased'],
    ])
    expect(findText(CANARY)).toEqual([])
  })
})

describe('a backup', () => {
  const file = () => join(database.folder, 'copy.sqlite')

  test('holds every message and no network address, is private, and can be restored', async () => {
    const references: string[] = []
    for (let count = 0; count < 200; count += 1) {
      references.push(await keep({ network: `${CANARY} ${count}`, message: `${count}` }))
      await createHitStore(store, 2, DAY_MS).increment(`${CANARY} ${count}`)
    }
    expect((await run('backup', file()))[0]).toBe(0)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(readFileSync(file()).includes(CANARY)).toBe(false)
    using copy = new DatabaseSync(file())
    for (const table of ['hits', 'receipts'])
      expect(copy.prepare(`SELECT count(*) AS rows FROM ${table}`).get()).toEqual({ rows: 0 })
    copy.close()
    expect(readdirSync(database.folder).sort()).toEqual(['copy.sqlite', 'data'])
    await store.close()
    rmSync(dirname(database.path), { recursive: true })
    mkdirSync(dirname(database.path))
    copyFileSync(file(), database.path)
    expect(await list(open())).toEqual(references)
    expect((await run('verify'))[0]).toBe(0)
  })

  test('replaces no file, and one that fails leaves none', async () => {
    await keep()
    writeFileSync(file(), 'precious')
    expect((await run('backup', file()))[1]).toContain('exists already')
    expect(readFileSync(file(), 'utf8')).toBe('precious')
    rmSync(file())
    writeFileSync(`${file()}.part`, '')
    expect((await run('backup', file()))[1]).toContain('EEXIST')
    rmSync(`${file()}.part`)
    expect((await run('backup', join(database.folder, 'missing', 'copy')))[1]).toContain(
      'no such file',
    )
    const fault =
      "INSERT INTO outbox (id, reference, queued_at, attempts) VALUES ('RG', 'RG', 0, 0)"
    await database.tamper(`PRAGMA foreign_keys = OFF; ${fault}`)
    expect((await run('backup', file()))[1]).toContain('damaged')
    expect(readdirSync(database.folder)).toEqual(['data'])
  })
})

describe('a restore', () => {
  const file = () => join(database.folder, 'copy.sqlite')
  const listFiles = () => readdirSync(dirname(database.path)).sort()
  const read = (sql: string) => store.transaction((db) => db.query(sql))

  /** Stops the site, restores, and opens the store again. */
  async function restore(from = file()): Promise<[number, string, Store]> {
    await store.close()
    const [status, text] = await run('restore', from)
    Object.assign(store, open())
    return [status, text, store]
  }

  test('refuses a store whose newest messages are not in FILE itself', async () => {
    await keep()
    await run('backup', file())
    writeFileSync(`${file()}-wal`, 'x')
    const [status, text] = await run('restore', file())
    expect([status, text]).toEqual([1, expect.stringContaining('-wal')])
  })

  test('goes back to the backup, and takes over what came later, but nothing that was erased', async () => {
    const [first, second, third, lost] = [await keep(), await keep(), await keep(), await keep()]
    await run('backup', file())
    await run('erase', second)
    await database.tamper(
      `PRAGMA foreign_keys = ON; DELETE FROM messages WHERE reference = '${lost}'`,
    )
    await database.tamper(`UPDATE messages SET message = 'spoilt' WHERE reference = '${third}'`)
    const mail = await leaseMail(store, { leaseMs: 1000, spacingMs: 0, many: 1000 })
    if (mail) await settleMail(store, mail, { kind: 'mailed', response: '250 OK' })
    const spam = await keep({ trapped: ['url'] })
    await createHitStore(store, 2, DAY_MS).increment('a')
    await countErrors(store, '/services', 3)
    const tables = ['outbox', 'attempts', 'hits', 'receipts', 'errors']
    const readAll = () =>
      Promise.all(
        tables.map((table) =>
          read(
            `SELECT * FROM ${table} WHERE '${lost}' NOT IN (${table === 'outbox' ? 'id' : "''"})`,
          ),
        ),
      )
    const before = await readAll()
    expect(await restore()).toMatchObject([
      0,
      expect.stringMatching(/taken over: 1\n.*left out: 1\n$/s),
      {},
    ])
    expect(await listMessages(store, {})).toMatchObject([
      { reference: first, status: 'mailed' },
      { reference: third, status: 'new', message: expect.stringMatching(/^Message of/) },
      { reference: lost, status: 'new' },
      { reference: spam, status: 'quarantined', trapped: ['url'] },
    ])
    expect(await readAll()).toEqual(before)
    expect(listFiles()).toEqual(['inbox.sqlite', 'inbox.sqlite-shm', 'inbox.sqlite-wal'])
    expect(statSync(database.path).mode & 0o777).toBe(0o600)
    expect((await run('verify'))[0]).toBe(0)
  })

  test('brings back what a wrong clock has erased, but not what has expired', async () => {
    const [spam, plain] = [await keep({ trapped: ['url'] }), await keep()]
    await run('backup', file())
    for (const days of [731, 1]) {
      clock.time += days * DAY_MS
      await run('purge')
    }
    expect(await list()).toEqual([])
    clock.time -= 700 * DAY_MS
    await restore()
    expect(await list()).toEqual([plain])
    expect(await list()).not.toContain(spam)
  })

  test('refuses while a site runs, and changes nothing', async () => {
    const first = await keep()
    await run('backup', file())
    const second = await keep()
    // The store is open here, in another process.
    const { status, stderr } = runProcess(':', 'restore', file())
    expect([status, stderr]).toEqual([1, expect.stringContaining('stop it first')])
    expect(listFiles()).toEqual(['inbox.sqlite', 'inbox.sqlite-shm', 'inbox.sqlite-wal'])
    expect(await list()).toEqual([first, second])
    expect((await keep()).length).toBe(first.length)
  })

  test('sets a damaged store aside with a warning; retention deletes that after a while', async () => {
    backups.folder = database.folder
    const [kept, erased] = [await keep(), await keep()]
    await run('backup', file())
    await run('erase', erased)
    await store.close()
    truncateSync(database.path, 40_000)
    const [status, text] = await restore()
    expect([status, text]).toEqual([0, expect.stringContaining('WARNING')])
    const [, aside = ''] = /kept as (\S+)\n/.exec(text) ?? []
    expect(statSync(aside).size).toBe(40_000)
    expect(await list()).toEqual([kept])
    const old = aside.replace(/before-\d{4}/, 'before-2020')
    renameSync(aside, old)
    writeFileSync(aside, '')
    const log = { info() {}, warn() {} } as never
    const retention = startRetention({ store, periods: PERIODS, backupDays: 14, log })
    await until(() => !existsSync(old))
    retention.stop()
    expect(existsSync(aside)).toBe(true)
  })

  test('makes the store of a new machine, and obeys the list beside the backup', async () => {
    const [kept, erased] = [await keep(), await keep()]
    await run('backup', file())
    await store.close()
    rmSync(dirname(database.path), { recursive: true })
    writeFileSync(join(database.folder, 'erased'), `${erased}\n`)
    expect((await restore())[0]).toBe(0)
    expect(await list()).toEqual([kept])
  })

  test.each<[string, string, () => Promise<void> | void]>([
    ['an export', 'not a database', () => writeFileSync(file(), '{"reference":"x"}\n'.repeat(100))],
    [
      'another database',
      'no backup of an inbox',
      () => {
        rmSync(file())
        new DatabaseSync(file()).exec('CREATE TABLE x (y)')
      },
    ],
    ['a damaged backup', 'malformed', () => truncateSync(file(), 40_000)],
    ['no file', 'ENOENT', () => rmSync(file())],
    [
      'a backup of a newer build',
      'newer build',
      () => new DatabaseSync(file()).exec('PRAGMA user_version = 99'),
    ],
  ])('refuses %s, and changes nothing', async (_, words, spoil) => {
    const first = await keep()
    await run('backup', file())
    await spoil()
    const [status, text] = await restore()
    expect([status > 0, text]).toEqual([true, expect.stringContaining(words)])
    expect(await list()).toEqual([first])
    expect(listFiles()).toEqual(['inbox.sqlite', 'inbox.sqlite-shm', 'inbox.sqlite-wal'])
  })
})

describe('the command as a process', () => {
  test('ends quietly when its reader closes, and fails when its file cannot grow', async () => {
    for (let count = 0; count < 50; count += 1) await keep({ message: `${count} `.repeat(500) })
    const piped = `set -o pipefail; "${process.execPath}" "${CLI}" export --format csv | head -n 1`
    const env = { ...process.env, DATABASE_URL: `sqlite:${database.path}`, NODE_OPTIONS: '' }
    const { status, stdout } = spawnSync('bash', ['-c', piped], { env, encoding: 'utf8' })
    expect([status, stdout.split(/[,;]/)[0]]).toEqual([0, '\uFEFFreference'])
    const cut = runProcess('ulimit -f 8; exec > cut.csv', 'export', '--format', 'csv')
    expect(cut).toMatchObject({ status: 1, stderr: expect.stringContaining('EFBIG') })
  })

  test('waits for a slow reader whose pipe takes a part at a time', async () => {
    for (let count = 0; count < 30; count += 1) await keep({ message: `${count} `.repeat(10_000) })
    const piped = `set -o pipefail; "${process.execPath}" "${CLI}" export --format jsonl | wc -l`
    // A program that looks at its standard output makes the pipe a non-blocking one.
    const NODE_OPTIONS = '--import=data:text/javascript,process.stdout'
    const env = { ...process.env, DATABASE_URL: `sqlite:${database.path}`, NODE_OPTIONS }
    const { status, stdout } = spawnSync('bash', ['-c', piped], { env, encoding: 'utf8' })
    expect([status, Number(stdout)]).toEqual([0, 30])
  })

  test('separates cells by a semicolon where the locale is French', async () => {
    await keep()
    const french = runProcess('export LC_ALL=fr_CA.UTF-8', 'export', '--format', 'csv')
    expect(french.stdout).toMatch(/^\uFEFFreference;receivedAt;/)
    const [, given] = await run('export', '--format', 'csv', '--separator', ';')
    expect(given).toBe(french.stdout)
  })
})

test.each([
  [[], 'A command is missing'],
  [['burn'], 'Unknown command: burn'],
  [['show'], 'REFERENCE is missing'],
  [['list', '--status', 'new'], "Unknown option '--status'"],
  [['export', '--format', 'csv', '--status', 'lost'], 'There is no status lost'],
  [['erase', 'RG-22222-22222', '--email', 'a@b.ca'], 'Too many words'],
])('the command %j shows its usage: %s', async (args, fault) => {
  const [status, text] = await run(...args)
  expect([status, text.split('\n')[0]]).toEqual([2, expect.stringContaining(fault)])
  expect(text).toContain('Usage: npm run -s inbox')
})

// A spreadsheet calculates a cell that starts with a formula sign, perhaps behind characters that show nothing. Somebody
// may open the file with another separator.
test.each([
  ['=1+1', `'=1+1`],
  ['＝1', `'＝1`],
  [' =HYPERLINK("x")', `"' =HYPERLINK(""x"")"`],
  ['\u200e@SUM(1)', "'\u200e@SUM(1)"],
  ['\u00a0\u3164-1', "'\u00a0\u3164-1"],
  ['x; =1', `"x;' =1"`],
  ['x,+1', `"x,'+1"`],
  ['x\t=1', `"x\t'=1"`],
  ['x\n@A1', `"x\n'@A1"`],
  ['a=b c-d e+f', 'a=b c-d e+f'],
  ['zoe@exemple.ca', 'zoe@exemple.ca'],
  ['L’Écuyer-O’Neil', 'L’Écuyer-O’Neil'],
])('the cell %j is written as %j', (typed, cell) => {
  expect(formatCell(typed)).toBe(cell)
})

test('a CSV file has a byte order mark, a line of titles, and one for each message', () => {
  const one = { ...createStored(), message: 'Fin.' }
  const lines = formatCsv([one, one], ',').split('\r\n')
  expect(lines).toEqual([
    expect.stringMatching(/^\uFEFFreference,receivedAt,/),
    lines[1],
    lines[1],
    '',
  ])
})
