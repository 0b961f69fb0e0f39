import {
  chmodSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { jest } from '@jest/globals'
import { refuseNetworkFileSystem } from '../../../server/inbox/sqlite/file-system.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createLines } from '../../support/fake-mailer.ts'
import { createFolder } from '../../support/folders.ts'
import { createMessage } from '../../support/inbox.ts'
import { describeCommands } from './command-suite.ts'
import { describeInbox } from './inbox-suite.ts'
import { describeMailQueue } from './mail-suite.ts'
import { createSqlitePlace, setUpPlace } from './places.ts'
import { describeUpkeep } from './upkeep-suite.ts'

const createPlace = async () => createSqlitePlace()
describeInbox('an inbox in SQLite', createPlace)
describeMailQueue('the mail queue of an inbox in SQLite', createPlace)
describeUpkeep('the upkeep of an inbox in SQLite', createPlace)
describeCommands('the inbox command over SQLite', createPlace)

describe('an inbox in SQLite', () => {
  const place = setUpPlace(createSqlitePlace)
  afterEach(() => jest.restoreAllMocks())

  const getMode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const keep = async (inbox = place.open()) => inbox.keep(createMessage())

  test.each([
    [false, '700'],
    [true, '755'],
  ])('has private files; a folder that existed (%j) keeps its mode', async (existed, mode) => {
    if (existed) {
      mkdirSync(dirname(place.path))
      chmodSync(dirname(place.path), mode)
      writeFileSync(place.path, '', { mode: 0o644 })
    }
    const { lines, log } = createLines()
    await keep(place.open({ log }))
    const modes = ['', '-wal', '-shm'].map((suffix) => getMode(place.path + suffix))
    expect([getMode(dirname(place.path)), ...modes]).toEqual([mode, '600', '600', '600'])
    const warning = 'the folder of the inbox is open to other users: chmod 700 makes it private'
    expect(lines.some(([, text]) => text === warning)).toBe(existed)
  })

  test('makes its files small again after a long read that kept the write-ahead log', async () => {
    const inbox = place.open()
    await keep(inbox)
    const getSize = () => statSync(`${place.path}-wal`).size
    using reader = new DatabaseSync(place.path)
    reader.exec('BEGIN; SELECT * FROM messages')
    await place.tamper('CREATE TABLE large AS SELECT zeroblob(40 * 1024 * 1024)')
    expect(getSize()).toBeGreaterThan(40 * 1024 * 1024)
    reader.exec('ROLLBACK')
    await until(async () => {
      await keep(inbox)
      return getSize() < 20 * 1024 * 1024
    })
  })

  test.each([
    ['not-a-file', 'a folder', () => mkdirSync(place.path, { recursive: true })],
    ['cannot-open', 'a file in place of the folder', () => writeFileSync(dirname(place.path), '')],
    [
      'damaged',
      'no database',
      () => {
        mkdirSync(dirname(place.path))
        writeFileSync(place.path, 'This is no database. '.repeat(300))
      },
    ],
  ])('is unavailable (%s) because of %s, and opens once it is away', async (...row) => {
    const [reason, , obstruct] = row
    obstruct()
    const obstacle = statSync(place.path, { throwIfNoEntry: false })
      ? place.path
      : dirname(place.path)
    chmodSync(obstacle, 0o755)
    const { lines, log } = createLines()
    const inbox = place.open({ log })
    expect(inbox.state()).toBe('opening')
    for (const _ of ['first', 'second']) {
      await expect(keep(inbox)).rejects.toMatchObject({ name: 'InboxUnavailable', reason })
    }
    expect([inbox.state(), getMode(obstacle)]).toEqual(['unavailable', '755'])
    rmSync(obstacle, { recursive: true })
    await until(() => inbox.state() === 'open')
    const texts = lines.slice(-2).map(([, text]) => text)
    expect(texts).toEqual(['inbox unavailable', 'inbox open'])
  })

  test('starts its thread again after a crash', async () => {
    const inbox = place.open()
    await inbox.probe()
    const unlock = await place.lock()
    const post = jest.spyOn(Worker.prototype, 'postMessage')
    const kept = inbox.keep(createMessage())
    await new Promise(setImmediate)
    const [thread]: unknown[] = post.mock.contexts
    if (!(thread instanceof Worker)) throw new Error('No thread was called')
    await thread.terminate()
    await expect(kept).rejects.toMatchObject({ reason: 'crashed' })
    await unlock()
    expect(await inbox.keep(createMessage())).toMatchObject({ outcome: 'accepted' })
    expect(post.mock.contexts.at(-1)).not.toBe(thread)
  })
})

describe('an inbox in SQLite on a network file system', () => {
  const folder = realpathSync(createFolder())
  const remote = ['data', 'data/new', 'with space', 'database', 'link/new']
  const local = ['', 'data/local', 'data2']

  function refuses(path: string, type: string): boolean {
    const mounts = [
      '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
      `30 22 0:40 / ${folder}/data rw - ${type} server:/export rw,vers=4.2`,
      `31 30 8:2 / ${folder}/data/local rw - xfs /dev/sdb rw`,
      `32 22 0:41 / ${folder}/with\\040space rw master:2 - ${type} me@host: rw`,
      `33 22 0:42 / ${folder}/database rw - tmpfs tmpfs rw`,
      `34 22 0:43 / ${folder}/database rw - ${type} //server/share rw`,
    ]
    try {
      refuseNetworkFileSystem(join(folder, path, 'inbox.sqlite'), mounts.join('\n'))
      return false
    } catch (error) {
      return String(error).includes('network-file-system')
    }
  }

  test('is refused, also behind a link and before its folder exists', () => {
    for (const name of ['data/local', 'data2', 'with space', 'database']) {
      mkdirSync(join(folder, name), { recursive: true })
    }
    symlinkSync(join(folder, 'data'), join(folder, 'link'))
    for (const type of ['nfs', 'nfs4', 'cifs', 'smb3', '9p', 'fuse.sshfs']) {
      const refused = [...remote, ...local].filter((path) => refuses(path, type))
      expect({ type, refused }).toEqual({ type, refused: remote })
    }
    expect(remote.filter((path) => refuses(path, 'btrfs'))).toEqual([])
  })
})
