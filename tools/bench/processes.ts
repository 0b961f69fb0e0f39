import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, truncateSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { findFreePort } from '../../server/connection/listen.ts'
import type { Load, Outcome } from './load.ts'

const ROOT = join(import.meta.dirname, '../..')

// A measure that breaks off leaves no process behind.
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const canPin = (core: number) => spawnSync('taskset', ['-c', String(core), 'true']).status === 0

/** The generator has a core of its own, and whatever it loads has the other; elsewhere the system decides. */
export const CORES = canPin(0) && canPin(1) ? { generator: 0, server: 1 } : undefined

function start(file: string, core: number | undefined, options: SpawnOptions): ChildProcess {
  const words = [process.execPath, join(ROOT, file)]
  if (core !== undefined) words.unshift('taskset', '-c', String(core))
  const [command = '', ...args] = words
  const child = spawn(command, args, { cwd: ROOT, ...options })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  if (child.exitCode !== null || child.signalCode !== null || !child.kill('SIGKILL')) return
  await exited
}

/** A process that answers questions one at a time. */
export interface Partner {
  /** Rejects with what the partner says went wrong. */
  ask<Reply>(question: unknown): Promise<Reply>
  end(): Promise<void>
}

function startPartner(file: string, core: number | undefined): Partner {
  const child = start(file, core, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const gone = once(child, 'exit').then(() => [{ error: `${file} has ended` }])
  return {
    async ask<Reply>(question: unknown) {
      const reply = Promise.race([once(child, 'message'), gone])
      child.send(question as object)
      const [answer] = await reply
      if (answer?.error) throw new Error(answer.error)
      return answer as Reply
    },
    end: () => end(child),
  }
}

/** One of tools/bench/servers, which is told what to serve, and on the port that it tells; on the servers' core. */
export async function startPeer(name: string, question: unknown) {
  const partner = startPartner(`tools/bench/servers/${name}.ts`, CORES?.server)
  return { port: await partner.ask<number>(question), ...partner }
}

/** A load generator; its posts are numbered on from load to load. */
export function startGenerator() {
  const partner = startPartner('tools/bench/generator.ts', CORES?.generator)
  return { run: (load: Load) => partner.ask<Outcome>(load), end: partner.end }
}

/** Asks until there is an answer; resolves to its status. */
async function askOften(port: number, child: ChildProcess): Promise<number> {
  while (child.exitCode === null) {
    const status = await new Promise<number | undefined>((resolve) => {
      get({ port, host: '127.0.0.1', agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode))
      }).once('error', () => setTimeout(resolve, 1))
    })
    if (status) return status
  }
  throw new Error(`The site ended with ${child.exitCode}`)
}

export interface Site {
  port: number
  url: string
  /** From the start of the process to the first 200, in ms. */
  startedIn: number
  /** The memory that the process has at this moment, in MB. */
  getMemory(): number
  /** The log is written to a file, as of a service; what it holds is thrown away here. */
  emptyLog(): void
  end(): Promise<void>
}

interface SiteOptions {
  /** Where its database and log are. */
  folder: string
  /** What to run in place of the site's own server/main.ts. */
  file?: string
  /** Whether it may have all cores. */
  unpinned?: boolean
  /** Variables beside those that every measure needs. */
  environment?: Record<string, string>
}

/** The built site as it runs in production, one process, with all that it logs and counts. */
export async function startSite(options: SiteOptions): Promise<Site> {
  const { folder, file, unpinned, environment } = options
  const [port, metricsPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')]
  const log = join(folder, 'log')
  const begin = performance.now()
  const child = start(file ?? 'server/main.ts', unpinned ? undefined : CORES?.server, {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATABASE_URL: `sqlite:${join(folder, 'inbox.sqlite')}`,
      TRUST_PROXY: '1',
      ...environment,
    },
    stdio: ['ignore', openSync(log, 'a'), 'inherit'],
  })
  const status = await askOften(port, child)
  if (status !== 200) throw new Error(`The site answers ${status}`)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    startedIn: performance.now() - begin,
    getMemory() {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(
        readFileSync(`/proc/${child.pid}/status`, 'utf8'),
      )?.[1]
      return (Number(kilobytes) * 1024) / 1e6
    },
    emptyLog: () => truncateSync(log),
    end: () => end(child),
  }
}
