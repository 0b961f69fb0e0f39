import { createServer } from 'node:http'
import express, { type RequestHandler } from 'express'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { measure } from '../inbox/measure.ts'
import type { Store } from '../inbox/store.ts'
import { getRouteName } from '../requests/log-requests.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** The metrics of a process. No label is a visitor's text, so visitors cannot add labels. */
export function createMetrics(store: Store) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by page or route, and status',
    labelNames: ['page', 'status'],
    registers,
  })
  const contacts = new Counter({
    name: 'contact_requests_total',
    help: 'Contact requests by outcome, or by the code of the refusal',
    labelNames: ['outcome'],
    registers,
  })
  const browserErrors = new Counter({
    name: 'client_errors_total',
    help: 'Script errors that browsers have reported',
    registers,
  })
  const messages = new Gauge({
    name: 'inbox_messages',
    help: 'Messages by status; missing while the inbox is unavailable',
    labelNames: ['status'],
    registers,
  })
  const letter = new Gauge({
    name: 'inbox_last_letter_seconds',
    help: 'Time of the last daily letter, in seconds since 1970',
    registers,
  })

  const countRequest: RequestHandler = (req, res, next) => {
    // A router may change the path later.
    const isContact = req.method === 'POST' && /^\/(?:api\/)?contact$/.test(req.path)
    res.once('close', () => {
      const page = getRouteName(req, res)
      // A client that left early has seen no status.
      requests.inc({ page, status: res.headersSent ? res.statusCode : 'none' })
      const { details } = res.locals
      if (isContact) contacts.inc({ outcome: details?.outcome ?? details?.code ?? 'left' })
    })
    next()
  }

  async function read(): Promise<string> {
    messages.reset()
    const measured = await measure(store).catch(() => undefined)
    for (const { status, count } of measured?.messages ?? []) messages.set({ status }, count)
    letter.reset()
    if (measured?.lastLetterAt) letter.set(measured.lastLetterAt / 1000)
    return registry.metrics()
  }
  return { countRequest, countBrowserError: () => browserErrors.inc(), read }
}

/** A server for GET /metrics alone. Its port must not be public. */
export function createMetricsServer({ read }: Metrics) {
  const app = express().disable('x-powered-by')
  app.get('/metrics', async (_req, res) => {
    res.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await read())
  })
  return createServer(app)
}
