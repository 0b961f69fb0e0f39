import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
export const CLI = join(ROOT, 'server/inbox/cli.ts')

export interface Site {
  url: string
  child: ChildProcess
  end(signal?: NodeJS.Signals): Promise<void>
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
}

/** The real program in a process of its own, on a free port of the loopback address. */
export async function startSite(databaseUrl: string, options: SiteOptions = {}): Promise<Site> {
  const { limit = 1_000_000, environment } = options
  const child = spawn(process.execPath, [join(ROOT, 'server/main.ts')], {
    env: { ...createEnvironment(databaseUrl, limit), ...environment },
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const exited = once(child, 'exit')
  exited.then(() => children.delete(child))
  const port = await new Promise((resolve, reject) => {
    exited.then(() => reject(new Error('The site did not start')))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { port } = JSON.parse(line)
      if (port) resolve(port)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    async end(signal = 'SIGKILL') {
      child.kill(signal)
      await exited
    },
  }
}

/** The inbox command in a process of its own; rejects when it fails. */
export async function runInboxCommand(databaseUrl: string, ...args: string[]): Promise<string> {
  const env = createEnvironment(databaseUrl, 1)
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { env, cwd: ROOT })
  return stdout
}
