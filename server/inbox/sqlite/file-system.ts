import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InboxUnavailable } from '../inbox-errors.ts'

// Type names of file systems that several machines can use at the same time.
const REMOTE =
  /^(nfs\d?|cifs|smb\d?|smbfs|ncpfs|afs|9p|ceph|glusterfs|lustre|gfs2?|ocfs2|beegfs|gpfs|fuse\.(sshfs|glusterfs|s3fs|rclone|ceph.*|cifs|smb.*|nfs.*|gcsfuse|blobfuse2?|davfs2?|juicefs|mountpoint-s3))$/

/** Resolves the symbolic links of a path, or of its nearest existing parent. */
function findFolder(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : findFolder(parent)
  }
}

/** The file system type of a folder, according to /proc/self/mountinfo; see proc_pid_mountinfo(5). */
function findFileSystem(folder: string, mountInfo: string): string | undefined {
  const mounts = mountInfo.split('\n').map((line) => {
    const [mount = '', source = ''] = line.split(' - ')
    const point = mount.split(' ')[4] ?? ''
    const decode = (_: string, code: string) => String.fromCharCode(parseInt(code, 8))
    return { point: point.replace(/\\(\d{3})/g, decode), type: source.split(' ')[0] }
  })
  const containing = mounts.filter(({ point }) =>
    `${folder}/`.startsWith(point === '/' ? '/' : `${point}/`),
  )
  // The sort is stable: a later mount on the same point hides the earlier one.
  return containing.sort((one, other) => one.point.length - other.point.length).at(-1)?.type
}

function readMountInfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return '' // not Linux
  }
}

/** SQLite's locks do not work where other machines may write the file too. */
export function refuseNetworkFileSystem(path: string, mountInfo = readMountInfo()): void {
  const type = findFileSystem(findFolder(resolve(path)), mountInfo)
  if (type && REMOTE.test(type)) throw new InboxUnavailable('network-file-system')
}

/** Finds the database's folder if other users have access to it. */
export function findOpenFolder(path: string): { folder: string; mode: string } | undefined {
  const folder = dirname(resolve(path))
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0
  return mode & 0o077 ? { folder, mode: (mode & 0o777).toString(8) } : undefined
}
