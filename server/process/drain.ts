import type { Server } from 'node:http'

/** Durations in ms. */
export interface DrainPace {
  /** How long new requests are still taken, so that a proxy notices that the process is not ready. */
  grace: number
  /** How long what is in flight may take after that; longer than the time that a request may take to come. */
  patience: number
  /** How often connections are looked for that nothing is asked on any more. */
  interval: number
}

export const DRAIN_PACE: DrainPace = { grace: 2000, patience: 16_500, interval: 100 }

/**
 * Takes requests for the time of grace, then no new ones, and resolves when all are answered.
 * Every answer says meanwhile that its connection ends, so that nobody sends into a closed one.
 */
export async function drain(servers: Server[], pace: DrainPace): Promise<void> {
  for (const server of servers) {
    server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  }
  await new Promise((resolve) => setTimeout(resolve, pace.grace))
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
  const closing = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, pace.interval)
  const late = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, pace.patience)
  await Promise.all(closed)
  clearInterval(closing)
  clearTimeout(late)
}
