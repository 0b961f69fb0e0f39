import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import {
  findFileSystem,
  refuseNetworkFileSystem,
} from '../../../server/inbox/sqlite/file-system.ts'
import { createFolder } from '../../support/folders.ts'

const folder = createFolder()
const MOUNTS = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /data rw - nfs4 server:/export rw,vers=4.2
31 30 8:2 / /data/local rw - xfs /dev/sdb rw
32 22 0:41 / /with\\040space rw master:2 - fuse.sshfs me@host: rw
33 22 0:42 / /database rw - tmpfs tmpfs rw
34 22 0:43 / /database rw - cifs //server/share rw
`

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
