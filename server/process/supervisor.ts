import type { Worker } from 'node:cluster'
import type { Logger } from '../log.ts'

/** Sent by a worker to its primary. */
export interface WorkerMessage {
  type: 'ready' | 'misconfigured'
}

export class StartFailed extends Error {
  override name = 'StartFailed'
}

const SUPERVISOR_PACE = {
  /** Backoff before a worker is replaced; doubled for each further worker that ended within the window. */
  firstPauseMs: 200,
  maxPauseMs: 2000,
  /** Ended workers are counted for this time. It is long, because on a slow machine each start takes seconds. */
  windowMs: 600_000,
  /** The site stops if more than `maxEnds * count` workers end within the window, and no worker is ready. */
  maxEnds: 5,
  /** Must exceed the 23.5 s limit of a worker's own shutdown. */
  stopTimeoutMs: 24_400,
}

interface SupervisorParts {
  fork: () => Worker
  count: number
  log: Logger
  /** Called when workers keep ending and none is ready, or when one is misconfigured or fails to stop gracefully. */
  onFailure: () => void
  pace?: typeof SUPERVISOR_PACE
}

export function createSupervisor(parts: SupervisorParts) {
  const { fork, count, log, onFailure, pace = SUPERVISOR_PACE } = parts
  const workers = new Set<Worker>()
  const readyWorkers = new Set<Worker>()
  let phase: 'starting' | 'running' | 'stopping' = 'starting'
  let ends: number[] = []

  /** Resolves when the new worker is ready. */
  function spawn(): Promise<void> {
    const worker = fork()
    const ready = Promise.withResolvers<void>()
    workers.add(worker)
    worker.on('message', (message: WorkerMessage) => {
      // A replacement would find the same wrong configuration.
      if (message.type === 'misconfigured') onFailure()
      if (message.type !== 'ready') return
      log.info({ worker: worker.id, pid: worker.process.pid }, 'worker ready')
      readyWorkers.add(worker)
      ready.resolve()
    })
    // A failed spawn (Node's file is missing, too many open files) emits an error, but never an exit.
    worker.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (worker.process.pid === undefined) worker.emit('exit', code, null)
    })
    worker.once('exit', (code: number | string | null, signal: string | null) => {
      workers.delete(worker)
      readyWorkers.delete(worker)
      // A worker that has not yet run a line has no SIGTERM listener, so the signal ends the worker: no failure.
      if (phase === 'stopping' && code !== 0 && signal !== 'SIGTERM') onFailure()
      if (phase === 'running') replace({ worker: worker.id, code, signal })
      if (phase === 'starting') {
        const end = signal ?? `exit code ${code}`
        const advice = 'read its last log lines; without any, it ran out of memory or was killed'
        ready.reject(new StartFailed(`A worker ended before it was ready (${end}): ${advice}`))
      }
    })
    return ready.promise
  }

  function replace(ended: object): void {
    ends = [...ends.filter((time) => time > Date.now() - pace.windowMs), Date.now()]
    if (ends.length > pace.maxEnds * count && readyWorkers.size === 0) {
      log.fatal(
        { ...ended, ends: ends.length },
        "workers keep ending; the site stops; see the workers' log lines before this",
      )
      onFailure()
      return
    }
    const pauseMs = Math.min(pace.firstPauseMs * 2 ** (ends.length - 1), pace.maxPauseMs)
    log.error({ ...ended, pauseMs }, 'worker ended; it will be replaced')
    setTimeout(() => {
      if (phase === 'running') void spawn()
    }, pauseMs)
  }

  return {
    /** Resolves when all workers are ready; rejects with StartFailed. */
    async start(): Promise<void> {
      // Start the first worker alone, so that an error that every worker would have is reported once.
      await spawn()
      await Promise.all(Array.from({ length: count - 1 }, spawn))
      if (phase === 'stopping') return
      phase = 'running'
      // Replace workers that ended while others were starting.
      while (workers.size < count) void spawn()
    },
    async stop(): Promise<void> {
      phase = 'stopping'
      const ended = [...workers].map((worker) => {
        worker.process.kill('SIGTERM')
        return new Promise((resolve) => worker.once('exit', resolve))
      })
      const timer = setTimeout(() => {
        for (const worker of workers) {
          log.error({ worker: worker.id }, 'worker did not stop in time; killed')
          worker.process.kill('SIGKILL')
        }
      }, pace.stopTimeoutMs)
      await Promise.all(ended)
      clearTimeout(timer)
    },
  }
}
