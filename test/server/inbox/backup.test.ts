import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import en from '../../../server/inbox/command/en.json' with { type: 'json' }
import { CLI } from '../../../tools/harness/project.ts'
import { createMessage, type TestInbox as Inbox, NOON } from '../../support/inbox.ts'
import { createSqlitePlace, runCommand, setUpPlace } from './places.ts'

const place = setUpPlace(createSqlitePlace)
let file: string
beforeEach(() => {
  file = join(place.folder, 'copy.sqlite')
})

const PRIVATE = { address: '2001:db8:1234:5600::', idempotencyKey: 'key-of-a-visitor' }

async function keep(inbox: Inbox, count: number, prefix = 'Message'): Promise<void> {
  const messages = Array.from({ length: count }, (_, n) => `${prefix} ${n}`)
  await Promise.all(messages.map((message) => inbox.keep(createMessage({ message, ...PRIVATE }))))
}

const listAll = (inbox: Inbox) => inbox.list({ limit: 1000, order: 'oldest-first' })

test('a restored backup holds every message, and no network address and no Idempotency-Key', async () => {
  const before = place.open({ now: () => NOON })
  await keep(before, 200)
  const messages = await listAll(before)
  expect(await runCommand(place, ['backup', file])).toMatchObject({ status: 0, err: '' })
  await before.close()
  const copy = readFileSync(file)
  const found = ['Message 7', ...Object.values(PRIVATE)].map((text) => copy.includes(text))
  expect(found).toEqual([true, false, false])
  rmSync(dirname(place.path), { recursive: true })

  mkdirSync(dirname(place.path))
  copyFileSync(file, place.path)
  const after = place.open({ now: () => NOON })
  expect(await listAll(after)).toEqual(messages)
  expect((await runCommand(place, ['verify'])).out).toContain('Messages verified: 200\n')
  const again = await after.keep(createMessage({ message: 'Message 7', ...PRIVATE }))
  expect(again).toMatchObject({ outcome: 'accepted' })
  expect(await after.lease({ limit: 500, leaseMs: 1 })).toHaveLength(201)
})

test('a backup during writes is complete, and private', async () => {
  const inbox = place.open()
  await keep(inbox, 300)
  const writing = keep(inbox, 300, 'Meanwhile')
  await runCommand(place, ['backup', file])
  await writing
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  expect(readdirSync(place.folder).sort()).toEqual(['copy.sqlite', 'data'])
  using copy = new DatabaseSync(file, { readOnly: true })
  const query = 'SELECT (SELECT count(*) FROM messages) AS messages, count(*) AS rows FROM outbox'
  const { messages, rows } = copy.prepare(query).get() ?? {}
  expect(messages).toBe(rows)
  expect(Number(messages)).toBeGreaterThanOrEqual(300)
})

test('a backup replaces no file, and a failed one leaves none', async () => {
  await place.open().probe()
  writeFileSync(file, 'precious')
  const { status, err } = await runCommand(place, ['backup', file])
  expect([status, err]).toEqual([1, `${file} exists already; a backup never replaces a file\n`])
  expect(readFileSync(file, 'utf8')).toBe('precious')
  await place.tamper(
    "PRAGMA foreign_keys = OFF; INSERT INTO outbox (id, reference, queued_at, attempts) VALUES ('RG', 'RG', 0, 0)",
  )
  rmSync(file)
  const unsound = await runCommand(place, ['backup', file])
  expect([unsound.status, unsound.err]).toEqual([1, expect.stringContaining('the copy has faults')])
  expect(readdirSync(place.folder)).toEqual(['data'])
})

/** Runs a backup in its own process, with functions of node:fs replaced. */
function backUpWith(replacements: string) {
  const preload = `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const fail = (code, syscall) => { throw Object.assign(new Error(code), { code, syscall }) }
    const die = () => process.kill(process.pid, 'SIGKILL')
    Object.assign(fs, { ${replacements} })
    syncBuiltinESMExports()`
  const url = `data:text/javascript,${encodeURIComponent(preload)}`
  const env = { DATABASE_URL: `sqlite:${place.path}` }
  const parameters = ['--import', url, CLI, 'backup', file]
  return spawnSync(process.execPath, parameters, { encoding: 'utf8', env })
}

test('a killed backup does not block a later one, which leaves the unfinished copy alone', async () => {
  await place.open().probe()
  expect(backUpWith('fsyncSync: die').signal).toBe('SIGKILL')
  const listUnfinished = () =>
    readdirSync(place.folder).filter((name) => name.endsWith('.unfinished'))
  const unfinished = listUnfinished()
  expect(unfinished).toHaveLength(1)
  expect(await runCommand(place, ['backup', file])).toMatchObject({ status: 0, err: '' })
  expect(listUnfinished()).toEqual(unfinished)
})

test('an error of the target folder names the folder, not the inbox', async () => {
  await place.open().probe()
  writeFileSync(file, '')
  for (const [folder, fault] of [
    [join(place.folder, 'missing'), 'does not exist'],
    [file, 'cannot be used: a part of this path is a file'],
  ] as const) {
    const answer = await runCommand(place, ['backup', join(folder, 'copy.sqlite')])
    expect(answer).toEqual({ status: 1, out: '', err: `${folder} ${fault}\n` })
  }
  expect(readdirSync(place.folder).sort()).toEqual(['copy.sqlite', 'data'])
})

test('a backup that fails, at its rename or for want of disk space, reports it and leaves no file', async () => {
  const inbox = place.open()
  await keep(inbox, 200, 'x'.repeat(2000))
  await inbox.close()
  const limited = ['-c', 'ulimit -f 200; exec "$0" "$@"', process.execPath, CLI, 'backup', file]
  const env = { DATABASE_URL: `sqlite:${place.path}` }
  for (const { status, stderr } of [
    backUpWith("renameSync: () => fail('EIO', 'rename')"),
    spawnSync('sh', limited, { encoding: 'utf8', env }),
  ]) {
    expect([status, stderr]).toEqual([1, `${place.folder} ${en.fileErrors.EIO}\n`])
    expect(readdirSync(place.folder)).toEqual(['data'])
  }
})
