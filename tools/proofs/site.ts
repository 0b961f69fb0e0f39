import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
export const CLI = join(ROOT, 'server/inbox/cli.ts')

export interface Site {
  url: string
  child: ChildProcess
  /** What Prometheus would read; needs METRICS_PORT. */
  readMetrics(): Promise<string>
  /** Resolves to the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

function createEnvironment(databaseUrl: string, limit: number): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    TRUST_PROXY: '1',
    CONTACT_LIMIT: String(limit),
  }
}

// A proof that breaks off leaves no server behind.
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

interface SiteOptions {
  limit?: number
  /** Variables beside those that every proof needs. */
  environment?: Record<string, string>
  /** Is told each line that the site writes, errors included. */
  onLine?: (line: string) => void
}

/** The real program in a process of its own, on a free port of the loopback address. */
export async function startSite(databaseUrl: string, options: SiteOptions = {}): Promise<Site> {
  const { limit = 1_000_000, environment, onLine } = options
  const child = spawn(process.execPath, [join(ROOT, 'server/main.ts')], {
    env: { ...createEnvironment(databaseUrl, limit), ...environment },
    cwd: ROOT,
    stdio: ['ignore', 'pipe', onLine ? 'pipe' : 'inherit'],
  })
  children.add(child)
  const exited = once(child, 'exit')
  exited.then(() => children.delete(child))
  if (child.stderr && onLine) createInterface({ input: child.stderr }).on('line', onLine)
  let metricsPort: number | undefined
  let started = false
  const port = await new Promise((resolve, reject) => {
    exited.then(() => reject(new Error('The site did not start')))
    const stdout = child.stdout as Readable
    const lines = createInterface({ input: stdout }).on('line', (line) => {
      onLine?.(line)
      if (started) return
      const entry = JSON.parse(line)
      metricsPort ??= entry.metricsPort
      if (!entry.port) return
      started = true
      resolve(entry.port)
      // To read them all would cost the machine as much as to answer.
      if (!onLine) {
        lines.close()
        stdout.resume()
      }
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    readMetrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    async end(signal = 'SIGKILL') {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

/** The inbox command in a process of its own; rejects when it fails. */
export async function runInboxCommand(databaseUrl: string, ...args: string[]): Promise<string> {
  const env = createEnvironment(databaseUrl, 1)
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { env, cwd: ROOT })
  return stdout
}
