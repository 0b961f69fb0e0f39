import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import texts from '../../../server/inbox/command/en.json' with { type: 'json' }
import { createLines } from '../../support/fake-mailer.ts'
import { createMessage, type TestInbox } from '../../support/inbox.ts'
import { createSqlitePlace, runCommand, setUpPlace } from './places.ts'

const place = setUpPlace(createSqlitePlace)
const inFolder = (name: string) => join(place.folder, name)
const snapshot = () => join(inFolder('snapshot'), 'inbox.sqlite')
/** Copies the files while they are open. */
const takeSnapshot = () => cpSync(dirname(place.path), inFolder('snapshot'), { recursive: true })

let count = 0

async function keep(inbox: TestInbox, times = 1): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    count += 1
    await inbox.keep(createMessage({ message: `Message ${count}` }))
  }
}

async function createOther(): Promise<void> {
  const other = createSqlitePlace()
  const inbox = other.open()
  await keep(inbox, 15)
  await inbox.close()
  renameSync(other.path, inFolder('other'))
  await other.close()
}

const readFiles = () =>
  [place.path, `${place.path}-wal`].map((path) =>
    existsSync(path) ? readFileSync(path, 'base64') : '',
  )

function moveAll(from: string, to: string): void {
  for (const suffix of ['', '-wal', '-shm']) renameSync(from + suffix, to + suffix)
}

function replaceByLink(): void {
  rmSync(place.path)
  linkSync(inFolder('backup'), place.path)
}

/** Another process copies the WAL into the file, and perhaps empties the WAL. */
function checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): void {
  using other = new DatabaseSync(place.path)
  other.exec(`PRAGMA wal_checkpoint(${mode})`)
}

function replaceAfterCheckpoint(...mode: Parameters<typeof checkpoint>): void {
  checkpoint(...mode)
  copyFileSync(inFolder('older'), place.path)
}

function cutAfterCheckpoint(...mode: Parameters<typeof checkpoint>): void {
  checkpoint(...mode)
  truncateSync(place.path, 5 * 4096)
}

const wal = () => `${place.path}-wal`

const REPLACEMENTS: [name: string, afterwards: 'replaced' | 'open' | 'cut', replace: () => void][] =
  [
    ['a backup by mv', 'replaced', () => renameSync(inFolder('backup'), place.path)],
    ['a backup by cp', 'replaced', () => copyFileSync(inFolder('backup'), place.path)],
    ['a link to a backup', 'replaced', replaceByLink],
    ['another store by mv', 'replaced', () => renameSync(inFolder('other'), place.path)],
    ['another store by cp', 'replaced', () => copyFileSync(inFolder('other'), place.path)],
    ['a snapshot without its WAL by mv', 'replaced', () => renameSync(snapshot(), place.path)],
    ['a snapshot without its WAL by cp', 'replaced', () => copyFileSync(snapshot(), place.path)],
    ['a snapshot with its WAL', 'open', () => moveAll(snapshot(), place.path)],
    ['an empty file', 'replaced', () => truncateSync(place.path)],
    ['nothing', 'replaced', () => renameSync(place.path, inFolder('moved'))],
    ['nothing, nor a WAL', 'open', () => moveAll(place.path, inFolder('moved'))],
    ['an older copy, after a checkpoint', 'open', () => replaceAfterCheckpoint('PASSIVE')],
    ['an older copy, after an emptied WAL', 'open', () => replaceAfterCheckpoint('TRUNCATE')],
    ['a part of it', 'cut', () => truncateSync(place.path, 5 * 4096)],
    ['a part of it, after a checkpoint', 'cut', () => cutAfterCheckpoint('PASSIVE')],
    ['a part of it, after an emptied WAL', 'cut', () => cutAfterCheckpoint('TRUNCATE')],
    ['itself with an empty WAL', 'open', () => truncateSync(wal())],
    ['itself with an older WAL by mv', 'open', () => renameSync(`${snapshot()}-wal`, wal())],
    ['itself with an older WAL by cp', 'open', () => copyFileSync(`${snapshot()}-wal`, wal())],
  ]

describe.each([true, false])('a file replaced under two inboxes (posts follow: %j)', (hasPosts) => {
  test.each(REPLACEMENTS)('by %s is not written; the next start: %s', async (...row) => {
    const [, afterwards, replace] = row
    const { lines, log } = createLines()
    const inboxes = [place.open({ log }), place.open({ log })] as const
    await keep(inboxes[0], 10)
    takeSnapshot()
    await inboxes[0].scrub(false)
    copyFileSync(place.path, inFolder('older'))
    const backup = await runCommand(place, ['backup', inFolder('backup')])
    expect(backup.status).toBe(0)
    copyFileSync(inFolder('backup'), inFolder('kept'))
    await createOther()
    await keep(inboxes[0], 20)
    // An open inbox does not probe: no probe of its thread may still run while the file is replaced.
    await inboxes[1].probe()
    await keep(inboxes[1])
    replace()
    const files = readFiles()

    for (const inbox of hasPosts ? [...inboxes, ...inboxes] : []) {
      await expect(keep(inbox)).rejects.toMatchObject({ reason: 'replaced' })
    }
    const { replaced: explanation } = texts.reasons
    const logged = lines.filter(([, , fields]) => Object.values(fields).includes(explanation))
    expect(logged).toHaveLength(hasPosts ? 2 : 0)
    for (const inbox of inboxes) await inbox.close()
    expect(readFiles()).toEqual(files)

    const next = place.open()
    const opened = keep(next).then(
      () => 'open',
      ({ reason }) => reason,
    )
    // SQLite notices that its file was cut only where it reads a part that is missing.
    expect(afterwards === 'cut' ? afterwards : await opened).toBe(afterwards)
    const { status } = await runCommand(place, ['verify'])
    expect(status).toBe(afterwards === 'open' ? 0 : 1)
    await next.close()
    if (afterwards === 'replaced') expect(readFiles()).toEqual(files)

    // The documented restore.
    renameSync(dirname(place.path), inFolder('before'))
    mkdirSync(dirname(place.path), { mode: 0o700 })
    copyFileSync(inFolder('kept'), place.path)
    await keep(place.open())
    const { out } = await runCommand(place, ['verify'])
    expect(out).toContain('Messages verified: 11\n')
  })
})

test('a file that was moved away is used again once it is back', async () => {
  const inbox = place.open()
  await keep(inbox, 10)
  renameSync(place.path, inFolder('moved'))
  await expect(keep(inbox)).rejects.toMatchObject({ reason: 'replaced' })
  renameSync(inFolder('moved'), place.path)
  await keep(inbox)
  expect((await runCommand(place, ['verify'])).out).toContain('Messages verified: 11\n')
})

const COMMANDS = [['list'], ['verify'], ['backup', 'late'], ['erase', '--email', 'none@exemple.ca']]

test.each([
  ['a WAL', ['-wal'], COMMANDS],
  ['an index', ['-shm'], []],
  ['a WAL with its index', ['-wal', '-shm'], []],
])('%s that was deleted is not written; the stop copies it into the file', async (...row) => {
  const [, suffixes, commands] = row
  const inbox = place.open()
  await keep(inbox, 10)
  for (const suffix of suffixes) rmSync(place.path + suffix)
  await expect(keep(inbox)).rejects.toMatchObject({ reason: 'replaced' })
  // Opening the store anew would put another WAL into the place of the one that is deleted.
  for (const command of commands) expect((await runCommand(place, command)).status).toBe(1)
  for (const _ of commands) {
    await expect(keep(place.open())).rejects.toMatchObject({ reason: 'replaced' })
  }
  await inbox.close()
  expect((await runCommand(place, ['verify'])).out).toContain('Messages verified: 10\n')
})

test('every snapshot of the open files is a sound store, whatever was copied out of its WAL', async () => {
  const inbox = place.open()
  for (let kept = 30; kept <= 600; kept += 30) {
    await keep(inbox, 30)
    if (kept % 150 === 0) await inbox.scrub(kept % 300 === 0)
    takeSnapshot()
    const copy = createSqlitePlace()
    renameSync(inFolder('snapshot'), dirname(copy.path))
    const { out } = await runCommand(copy, ['verify'])
    expect(out).toContain(`Messages verified: ${kept}\n`)
    await copy.close()
  }
})
