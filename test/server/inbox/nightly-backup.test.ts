import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { backUpTonight, getBackupPath } from '../../../server/inbox/nightly-backup.ts'
import { startSiteProcess } from '../../../tools/harness/process.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createLines } from '../../support/fake-mailer.ts'
import { createTestSqlite, setUpStore } from './databases.ts'

const { database, store, keep } = setUpStore(createTestSqlite)
let { lines, log } = createLines()
beforeEach(async () => {
  ;({ lines, log } = createLines())
  await keep()
})

const KIND = 'sqlite'
const getFolder = () => join(database.folder, 'backups')
const tonight = () => getBackupPath({ folder: getFolder(), kind: KIND }, Date.now())
const list = () => readdirSync(getFolder()).sort()
const backUp = (signal?: AbortSignal) => {
  const env = { DATABASE_URL: `sqlite:${database.path}` }
  return backUpTonight({ folder: getFolder(), days: 14, kind: KIND, log, env }, signal)
}

test('a night begins at two in Toronto, summer and winter', () => {
  const name = (time: string, kind: 'sqlite' | 'postgres') =>
    getBackupPath({ folder: '/b', kind }, Date.parse(time))
  expect(name('2026-05-04T05:59:59Z', 'sqlite')).toBe('/b/inbox-2026-05-03.sqlite')
  expect(name('2026-05-04T06:00:00Z', 'sqlite')).toBe('/b/inbox-2026-05-04.sqlite')
  expect(name('2026-12-04T06:59:59Z', 'postgres')).toBe('/b/inbox-2026-12-03.jsonl')
  expect(name('2026-12-04T07:00:00Z', 'postgres')).toBe('/b/inbox-2026-12-04.jsonl')
})

test('two processes make one backup of the night, and a restart makes no other', async () => {
  await Promise.all([backUp(), backUp()])
  const { ino, mode } = statSync(tonight())
  expect([mode & 0o777, statSync(getFolder()).mode & 0o777]).toEqual([0o600, 0o700])
  await backUp()
  expect(list()).toEqual([basename(tonight())])
  expect(statSync(tonight()).ino).toBe(ino)
  expect(lines).toEqual([['info', 'backup made', { file: tonight() }]])
})

test('deletes old backups but the newest three, and what a killed process has left', async () => {
  await backUp()
  rmSync(tonight())
  const write = (...names: string[]) =>
    names.map((name) => writeFileSync(join(getFolder(), name), ''))
  write(
    'inbox-2020-01-01.sqlite',
    'inbox-2020-01-02.jsonl',
    'inbox-2020-01-03.sqlite',
    'before.sqlite',
  )
  write(`${basename(tonight())}.part`)
  await backUp()
  expect(lines).toHaveLength(1)
  utimesSync(`${tonight()}.part`, 0, 0)
  await backUp()
  expect(list()).toEqual([
    'before.sqlite',
    'inbox-2020-01-02.jsonl',
    'inbox-2020-01-03.sqlite',
    basename(tonight()),
  ])
  expect(lines).toHaveLength(2)
})

test('a failure is in the log, deletes nothing and leaves nothing', async () => {
  await backUp()
  rmSync(tonight())
  writeFileSync(join(getFolder(), 'inbox-2020-01-01.sqlite'), '')
  await store.close()
  writeFileSync(database.path, 'x'.repeat(10_000))
  await backUp()
  expect(list()).toEqual(['inbox-2020-01-01.sqlite'])
  const detail = expect.stringContaining('damaged')
  const text = 'backup failed; it is tried again in an hour'
  expect(lines.at(-1)).toEqual(['error', text, { file: tonight(), detail }])
})

test('a folder that cannot be made or read is in the log, and ends nothing', async () => {
  const folder = join(database.path, 'backups')
  await backUpTonight({ folder, days: 14, kind: KIND, log })
  expect(lines.map(([level]) => level)).toEqual(['error'])
})

test('a stop of the site ends it, which is no failure', async () => {
  const stopping = new AbortController()
  const ended = backUp(stopping.signal)
  stopping.abort()
  await ended
  expect(list()).toEqual([])
  expect(lines).toEqual([])
})

test('the site makes it', async () => {
  const folder = join(database.folder, 'site')
  const environment = { BACKUP_DIR: folder, DATABASE_URL: `sqlite:${database.path}` }
  await using site = await startSiteProcess({ environment })
  await until(() => site.logged.some(({ msg }) => msg === 'backup made'))
  expect(readdirSync(folder)).toEqual([basename(tonight())])
})
