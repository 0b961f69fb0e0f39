import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { send } from '../harness/client.ts'
import { endProcess, startNode, startSiteProcess } from '../harness/process.ts'
import type { Load, Outcome } from './load.ts'
import type { Sample } from './servers/peer.ts'

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const canPin = (core: number) => spawnSync('taskset', ['-c', String(core), 'true']).status === 0

/** One core for the generator, one for the servers; undefined if taskset cannot pin processes. */
export const CORES = canPin(0) && canPin(1) ? { generator: 0, server: 1 } : undefined

/** Starts a process that answers one message at a time; `ask` rejects if it reports an error or has ended. */
function startPartner(file: string, core: number | undefined) {
  const child = startNode(
    [`tools/bench/${file}.ts`],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' },
    core,
  )
  const gone = once(child, 'exit').then(() => [{ error: `${file} has ended` }])
  return {
    async ask<Reply>(question: object | number | string) {
      const reply = Promise.race([once(child, 'message'), gone])
      child.send(question)
      const [answer] = await reply
      if (answer?.error) throw new Error(answer.error)
      return answer as Reply
    },
    end: () => endProcess(child),
  }
}

export const startServer = (name: string) => startPartner(`servers/${name}`, CORES?.server)

export async function startPeer(sample: Sample) {
  const { ask, end } = startServer('peer')
  return { port: await ask<number>(sample), end }
}

/** Starts a load generator. The numbers of its posts continue from load to load, so that no post repeats. */
export function startGenerator() {
  const partner = startPartner('generator', CORES?.generator)
  return { run: (load: Load) => partner.ask<Outcome>(load), end: partner.end }
}

/** Starts the built site as in production: one process with its metrics on. */
export async function startBenchSite(folder: string, isPinned = true) {
  const begin = performance.now()
  const site = await startSiteProcess({
    environment: {
      HOST: '127.0.0.1',
      METRICS_PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'inbox.sqlite')}`,
      TRUST_PROXY: '1',
    },
    ignoreLog: true,
    core: isPinned ? CORES?.server : undefined,
  })
  const { status } = await send(site.url, { path: '/' })
  if (status !== 200) throw new Error(`The site returned ${status} instead of 200`)
  return {
    port: Number(new URL(site.url).port),
    url: site.url,
    /** From the start of the process to the first 200, in ms. */
    startedIn: performance.now() - begin,
    end: () => site.stop('SIGKILL'),
  }
}
