import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { ROOT, read } from './project.ts'

const MAIN = join(ROOT, 'server/main.js')
const { scripts } = JSON.parse(read('package.json'))
/** The options of Node in `npm start`, which is `exec node [options] server/main.js`. */
const START_FLAGS: string[] = scripts.start.split(' ').slice(2, -1)

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

/** Starts Node with these arguments. If a core is given, Node runs on that core only. */
export function startNode(args: string[], options: SpawnOptions, core?: number): ChildProcess {
  const pin = core === undefined ? [] : ['taskset', '-c', String(core)]
  const [command = '', ...words] = [...pin, process.execPath, ...args]
  return startProgram(command, words, options)
}

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

export interface SiteProcessOptions {
  args?: string[]
  main?: string
  /** Arguments of Node itself. */
  flags?: string[]
  environment?: Record<string, string>
  /** Selects the log entries to keep; all by default. */
  isKept?: (entry: Record<string, unknown>) => boolean
  /** Ignores the log once the site listens: parsing needs as much CPU time as the site. */
  ignoreLog?: boolean
  /** The only core that the site runs on. */
  core?: number
}

export async function startSiteProcess(options: SiteProcessOptions) {
  const { args = [], main = MAIN, flags = [], environment, isKept, ignoreLog, core } = options
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'inbox.sqlite')}`,
    ...environment,
  }
  const child = startNode(
    [...START_FLAGS, ...flags, main, ...args],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
    core,
  )
  const { stdout } = child
  if (!stdout) throw new Error('The site has no standard output')
  const logged: Record<string, unknown>[] = []
  let metricsPort: unknown
  const port = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The site did not start')))
    const lines = createInterface({ input: stdout }).on('line', (line) => {
      // With --watch, Node itself writes lines that are not JSON.
      if (!line.startsWith('{')) return
      const entry = JSON.parse(line)
      if (isKept?.(entry) ?? true) logged.push(entry)
      metricsPort ??= entry.metricsPort
      if (entry.port) resolve(entry.port)
      if (!entry.port || !ignoreLog) return
      lines.close()
      stdout.resume()
    })
  })
  return {
    url: `http://${environment?.HOST ?? 'localhost'}:${port}`,
    logged,
    child,
    /** The text that Prometheus reads; needs METRICS_PORT. */
    readMetrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
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

export type SiteProcess = Awaited<ReturnType<typeof startSiteProcess>>
