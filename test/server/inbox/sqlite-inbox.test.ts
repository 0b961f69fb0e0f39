import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { MISCONFIGURED } from '../../../server/inbox/inbox.ts'
import {
  findFileSystem,
  refuseNetworkFileSystem,
} from '../../../server/inbox/sqlite/file-system.ts'
import { until } from '../../../tools/harness/raw-client.ts'
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

describe('the files of an inbox in SQLite', () => {
  const place = setUpPlace(createSqlitePlace)

  const getMode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const keep = async (inbox = place.open()) => inbox.keep(createMessage())

  test('are private, and so is a folder created for them', async () => {
    await keep()
    const modes = ['', '-wal', '-shm'].map((suffix) => getMode(place.path + suffix))
    expect([getMode(dirname(place.path)), ...modes]).toEqual(['700', '600', '600', '600'])
  })

  test('become private when they were not; a folder that exists keeps its mode', async () => {
    mkdirSync(dirname(place.path))
    chmodSync(dirname(place.path), 0o755)
    writeFileSync(place.path, '', { mode: 0o644 })
    await keep()
    expect([getMode(dirname(place.path)), getMode(place.path)]).toEqual(['755', '600'])
  })

  test('become small again after a long read that kept the write-ahead log', async () => {
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
    [
      'a folder in the place of the file',
      () => {
        mkdirSync(place.path, { recursive: true })
        chmodSync(place.path, 0o755)
      },
      () => {
        expect(getMode(place.path)).toBe('755')
        rmdirSync(place.path)
      },
      'not-a-file',
    ],
    [
      'a file in the place of the folder',
      () => writeFileSync(dirname(place.path), ''),
      () => rmSync(dirname(place.path)),
      'cannot-open',
    ],
    [
      'something that is not a database',
      () => {
        mkdirSync(dirname(place.path))
        writeFileSync(place.path, 'This is no database. '.repeat(300), { mode: 0o644 })
      },
      () => {
        expect(getMode(place.path)).toBe('644')
        rmSync(place.path)
      },
      'damaged',
    ],
  ])('are unavailable because of %s, until it is removed', async (_, obstruct, clear, reason) => {
    obstruct()
    const inbox = place.open()
    expect(inbox.state()).toBe('opening')
    await expect(keep(inbox)).rejects.toMatchObject({ name: 'InboxUnavailable', reason })
    expect(MISCONFIGURED.some((each) => each === reason)).toBe(reason === 'not-a-file')
    expect(inbox.state()).toBe('unavailable')
    clear()
    expect(await keep(inbox)).toMatchObject({ repeated: false })
    expect(inbox.state()).toBe('open')
  })

  test('are opened again without a call', async () => {
    mkdirSync(place.path, { recursive: true })
    const log: string[] = []
    const note = (_: object, text: string) => log.push(text)
    const inbox = place.open({ log: { info: note, warn: note, error: note } })
    await expect(keep(inbox)).rejects.toThrow('not-a-file')
    await expect(keep(inbox)).rejects.toThrow('not-a-file')
    rmdirSync(place.path)
    await until(() => inbox.state() === 'open')
    const warning = 'the folder of the inbox is open to other users: chmod 700 makes it private'
    expect(log).toEqual([warning, 'inbox unavailable', 'inbox open'])
  })

  test('are created again after they were deleted', async () => {
    const inbox = place.open()
    const first = await keep(inbox)
    rmSync(dirname(place.path), { recursive: true })
    const second = await keep(inbox)
    expect(second).toMatchObject({ repeated: false })
    expect(await inbox.find(first.reference)).toBeUndefined()
    await inbox.close()
    expect(await place.open().find(second.reference)).toBeDefined()
  })

  test('are opened again after they were replaced', async () => {
    const former = place.open()
    const first = await keep(former)
    await former.close()
    renameSync(place.path, `${place.path}.backup`)
    const inbox = place.open()
    await keep(inbox)
    for (const suffix of ['', '-wal', '-shm']) rmSync(place.path + suffix)
    renameSync(`${place.path}.backup`, place.path)
    expect(await keep(inbox)).toEqual({ ...first, repeated: true })
  })
})

describe('the thread of an inbox in SQLite', () => {
  const { postMessage } = Worker.prototype
  const place = setUpPlace(createSqlitePlace)
  let workers: Set<Worker>
  let isSlow: boolean
  let deliver: () => void

  beforeEach(() => {
    workers = new Set()
    isSlow = false
    Worker.prototype.postMessage = function (this: Worker, message) {
      workers.add(this)
      deliver = () => postMessage.call(this, message)
      if (!isSlow) deliver()
    }
  })
  afterEach(() => {
    Worker.prototype.postMessage = postMessage
  })

  test('is started again after a crash', async () => {
    const inbox = place.open()
    await inbox.open()
    const unlock = await place.lock()
    const kept = inbox.keep(createMessage())
    await new Promise(setImmediate)
    await [...workers][0]?.terminate()
    await expect(kept).rejects.toMatchObject({ reason: 'crashed' })
    await unlock()
    expect(await inbox.keep(createMessage())).toMatchObject({ repeated: false })
    expect(workers.size).toBe(2)
  })

  test('drops a call that was given up at its deadline before the thread received it', async () => {
    const inbox = place.open()
    await inbox.open()
    isSlow = true
    const late = inbox.keep(createMessage(), Date.now() + 50)
    await expect(late).rejects.toMatchObject({ reason: 'deadline' })
    deliver()
    isSlow = false
    expect(await inbox.list({ limit: 1, order: 'newest-first' })).toEqual([])
  })
})

const MOUNTS = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /data rw - nfs4 server:/export rw,vers=4.2
31 30 8:2 / /data/local rw - xfs /dev/sdb rw
32 22 0:41 / /with\\040space rw master:2 - fuse.sshfs me@host: rw
33 22 0:42 / /database rw - tmpfs tmpfs rw
34 22 0:43 / /database rw - cifs //server/share rw
`

describe('the file system of an inbox in SQLite', () => {
  const folder = createFolder()
  test.each([
    ['/', 'ext4'],
    ['/home/site', 'ext4'],
    ['/data', 'nfs4'],
    ['/data/inbox', 'nfs4'],
    ['/data/local/inbox', 'xfs'],
    ['/data2', 'ext4'],
    ['/with space/x', 'fuse.sshfs'],
    ['/database', 'cifs'],
  ])('%s lies on %s', (folder, type) => {
    expect(findFileSystem(folder, MOUNTS)).toBe(type)
  })

  test('a network file system is refused, also behind a symbolic link and before the folder exists', () => {
    const mount = (type: string) =>
      `1 1 0:1 / / rw - ext4 x rw\n2 1 0:2 / ${folder}/far rw - ${type} x rw`
    mkdirSync(join(folder, 'far'))
    symlinkSync(join(folder, 'far'), join(folder, 'link'))
    for (const path of ['far/inbox.sqlite', 'link/new/inbox.sqlite']) {
      for (const type of ['nfs', 'nfs4', 'cifs', 'smb3', '9p', 'fuse.sshfs']) {
        const refuse = () => refuseNetworkFileSystem(join(folder, path), mount(type))
        expect(refuse).toThrow('network-file-system')
      }
      refuseNetworkFileSystem(join(folder, path), mount('btrfs'))
    }
    refuseNetworkFileSystem(join(folder, 'inbox.sqlite'), mount('nfs'))
    refuseNetworkFileSystem(join(folder, 'inbox.sqlite'), '')
  })
})
