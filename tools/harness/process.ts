import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const MAIN = join(import.meta.dirname, '../../server/main.ts')

export interface SiteProcess {
  url: string
  logged: Record<string, unknown>[]
  child: ChildProcess
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>
}

/** The real program in a process of its own, on a free port, with a database of its own. */
export async function startProcess(
  args: string[] = [],
  environment: Record<string, string> = {},
  main = MAIN,
  flags: string[] = [],
): Promise<SiteProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const child = spawn(process.execPath, [...flags, main, ...args], {
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'inbox.sqlite')}`,
      NODE_OPTIONS: '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const logged: Record<string, unknown>[] = []
  const port = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The site did not start')))
    createInterface({ input: child.stdout }).on('line', (line) => {
      // Under --watch Node says in words what it does.
      if (!line.startsWith('{')) return
      const entry = JSON.parse(line)
      logged.push(entry)
      if (entry.port) resolve(entry.port)
    })
  })
  return {
    url: `http://localhost:${port}`,
    logged,
    child,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await exited
      await rm(folder, { recursive: true })
      return code
    },
  }
}
