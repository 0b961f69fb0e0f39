import type { Worker } from 'node:cluster'
import type { Logger } from '../log.ts'

/** What a worker tells its primary once it serves. */
export interface ReadyMessage {
  type: 'ready'
}

/** A worker that ended before it served; it has said itself why. */
export class StartFailed extends Error {
  override name = 'StartFailed'
}

export interface SupervisorPace {
  /** Before a worker that ended is replaced; doubled for each that ended lately. */
  firstPauseMs: number
  longestPauseMs: number
  /** What counts as lately: long enough for a crash loop on a slow machine, where each start takes seconds. */
  windowMs: number
  /** How many may end lately, for each worker there should be. */
  mostDeaths: number
  /** A worker that is asked to stop and lasts longer is killed: its event loop is blocked. */
  timeToStopMs: number
}

export const SUPERVISOR_PACE: SupervisorPace = {
  firstPauseMs: 200,
  longestPauseMs: 2000,
  windowMs: 600_000,
  mostDeaths: 5,
  // More than the 24 s that a worker gives itself.
  timeToStopMs: 24_400,
}

interface SupervisorParts {
  /** Starts a worker. */
  fork: () => Worker
  /** How many there should be. */
  count: number
  log: Logger
  /** Is called when workers end again and again. */
  onGiveUp: () => void
  pace?: SupervisorPace
  /** The time in ms. */
  now?: () => number
}

export interface Supervisor {
  /** Resolves when all workers serve; rejects with StartFailed. */
  start(): Promise<void>
  /** Asks all workers to stop, and kills those that do not; resolves to whether all of them ended in order. */
  stop(): Promise<boolean>
}

/** Keeps so many workers running. */
export function createSupervisor(parts: SupervisorParts): Supervisor {
  const { fork, count, log, onGiveUp, pace = SUPERVISOR_PACE, now = Date.now } = parts
  const workers = new Set<Worker>()
  let phase: 'starting' | 'running' | 'stopping' = 'starting'
  let deaths: number[] = []
  let inOrder = true

  /** Resolves when the new worker serves. */
  function spawn(): Promise<void> {
    const worker = fork()
    const ready = Promise.withResolvers<void>()
    workers.add(worker)
    worker.on('message', (message: ReadyMessage) => {
      if (message.type !== 'ready') return
      log.info({ worker: worker.id, pid: worker.process.pid }, 'a worker serves')
      ready.resolve()
    })
    worker.once('exit', (code: number | null, signal: string | null) => {
      workers.delete(worker)
      // One that was asked to stop before it could listen to the request ends by it.
      if (phase === 'stopping' && code !== 0 && signal !== 'SIGTERM') inOrder = false
      if (phase === 'running') replace({ worker: worker.id, code, signal })
      if (phase === 'starting') {
        ready.reject(new StartFailed('A process of the site ended before it served'))
      }
    })
    return ready.promise
  }

  function replace(death: object): void {
    deaths = [...deaths.filter((time) => time > now() - pace.windowMs), now()]
    if (deaths.length > pace.mostDeaths * count) {
      log.fatal({ ...death, deaths: deaths.length }, 'workers end again and again: giving up')
      onGiveUp()
      return
    }
    const pause = Math.min(pace.firstPauseMs * 2 ** (deaths.length - 1), pace.longestPauseMs)
    log.error({ ...death, pause }, 'a worker ended: another one takes its place')
    setTimeout(() => {
      if (phase === 'running') void spawn()
    }, pause)
  }

  return {
    async start() {
      // The first one alone, so that a fault they all share is told once.
      await spawn()
      await Promise.all(Array.from({ length: count - 1 }, spawn))
      if (phase === 'stopping') return
      phase = 'running'
      // One that served may have ended while others were still starting.
      while (workers.size < count) void spawn()
    },
    async stop() {
      phase = 'stopping'
      const gone = [...workers].map((worker) => {
        worker.process.kill('SIGTERM')
        return new Promise((resolve) => worker.once('exit', resolve))
      })
      const late = setTimeout(() => {
        for (const worker of workers) {
          log.error({ worker: worker.id }, 'worker did not stop in time; killed')
          worker.process.kill('SIGKILL')
        }
      }, pace.timeToStopMs)
      await Promise.all(gone)
      clearTimeout(late)
      return inOrder
    },
  }
}
