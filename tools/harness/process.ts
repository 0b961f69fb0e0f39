import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { ROOT } from './project.ts'

const MAIN = join(ROOT, 'server/main.ts')

// Children that still run must not outlive this process.
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export function startProgram(command: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { cwd: ROOT, ...options })
  children.add(child)
  child.once('error', ({ message }) => console.log(message))
  child.once('exit', () => children.delete(child))
  return child
}

export const startNode = (args: string[], options: SpawnOptions): ChildProcess =>
  startProgram(process.execPath, args, options)

/** Resolves to the first group of the first matching line; rejects with the output if no line matches. */
export async function readLine(output: Readable | null, pattern: RegExp): Promise<string> {
  const lines: string[] = []
  for await (const line of createInterface({ input: output ?? Readable.from([]) })) {
    lines.push(line)
    const found = pattern.exec(line)?.[1]
    if (found) {
      output?.resume()
      return found
    }
  }
  throw new Error([`the output has no line that matches ${pattern}:`, ...lines].join('\n'))
}

/** Lets a server listen on a free port; resolves to the port. */
export async function listenLocally(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export async function findFreePort(): Promise<number> {
  const server = createServer()
  const port = await listenLocally(server)
  server.close()
  await once(server, 'close')
  return port
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/** Runs a program until it ends, without this process's NODE_OPTIONS; never rejects. */
export function run(
  program: string,
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  cwd = ROOT,
) {
  const env = { ...process.env, NODE_OPTIONS: '', ...environment }
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd, env, maxBuffer: MAX_OUTPUT_BYTES }
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code) || 1 : 0, stdout, stderr }),
    )
  })
}

export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<number | null> {
  const exited = once(child, 'exit')
  if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await exited
  return child.exitCode
}

interface SiteProcessOptions {
  environment?: Record<string, string>
  /** Ignores the log once the site listens: parsing needs as much CPU time as the site. */
  ignoreLog?: boolean
}

/** Starts the site as `npm start` does, with its own database, on a free port unless the environment names one. */
export async function startSiteProcess({ environment, ignoreLog }: SiteProcessOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'inbox.sqlite')}`,
    ...environment,
  }
  const child = startNode([MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const { stdout } = child
  if (!stdout) throw new Error('The site has no standard output')
  const logged: Record<string, unknown>[] = []
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The site did not start')))
    const lines = createInterface({ input: stdout }).on('line', (line) => {
      logged.push(JSON.parse(line))
      const [, found] = /listening on (http:\/\/[^\s"]+)/.exec(line) ?? []
      if (!found) return
      resolve(found)
      if (!ignoreLog) return
      lines.close()
      stdout.resume()
    })
  })
  return {
    url,
    /** The entries of the log. */
    logged,
    child,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      const code = await endProcess(child, signal)
      await rm(folder, { recursive: true, force: true })
      return code
    },
    /** For `await using`: a test that fails leaves no site. */
    async [Symbol.asyncDispose]() {
      await this.stop()
    },
  }
}
