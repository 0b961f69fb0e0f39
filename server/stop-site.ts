import type { Server } from 'node:http'
import type { Store } from './inbox/store.ts'
import type { Logger } from './log.ts'
import type { Mailing } from './mail/mailing.ts'

export const STOP_PACE = {
  /** Time in which new connections are still accepted, so that a proxy notices that the process is not ready. */
  graceMs: 2000,
  /** Time for the requests in flight after the grace time; longer than the request timeout. */
  answersMs: 16_500,
  /** Interval at which idle connections are closed. */
  idleCheckMs: 100,
  /** Time for the mails in flight, once all requests are answered. */
  mailMs: 3000,
  /** Time for the whole stop. */
  totalMs: 23_500,
}
export type StopPace = typeof STOP_PACE

interface StopDeps {
  servers: Server[]
  mailing?: Pick<Mailing, 'stop'>
  store: Pick<Store, 'close'>
  /** Closes Vite and its WebSockets in development, for which `drain` would wait; does nothing in production. */
  closeVite: () => Promise<void>
  log: Logger
}

/** A timeout loses no confirmed message. A mail without a recorded outcome is sent again when its lease ends. */
export async function stopSite(parts: StopDeps, pace: StopPace = STOP_PACE): Promise<void> {
  const { servers, mailing, store, closeVite, log } = parts
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    log.warn(
      'shutdown timed out: requests, the mail server or the inbox took too long; every confirmed message is stored',
    )
    timeout.resolve()
  }, pace.totalMs)
  async function stopInOrder(): Promise<void> {
    await closeVite()
    await drain(servers, pace)
    await mailing?.stop(pace.mailMs)
    await store.close()
  }
  await Promise.race([stopInOrder(), timeout.promise])
  clearTimeout(timer)
}

/** Accepts connections for the grace time only; resolves when all have ended, or are cut off after `answersMs`. */
export async function drain(servers: Server[], pace: StopPace): Promise<void> {
  // Answers to new requests close their connections, so that no client reuses one that is about to close.
  for (const server of servers) {
    server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  }
  await new Promise((resolve) => setTimeout(resolve, pace.graceMs))
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
  const closeIdle = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, pace.idleCheckMs)
  const closeAll = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, pace.answersMs)
  await Promise.all(closed)
  clearInterval(closeIdle)
  clearTimeout(closeAll)
}
