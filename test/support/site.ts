import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { loadConfig } from '../../server/config.ts'
import type { Message } from '../../server/inbox/message.ts'
import { listMessages } from '../../server/inbox/messages.ts'
import type { Store } from '../../server/inbox/store.ts'
import { createLog } from '../../server/log.ts'
import { createBundleRenderer } from '../../server/pages/bundle-renderer.ts'
import type { Renderer } from '../../server/pages/renderer.ts'
import { type Overrides, startSite } from '../../server/site.ts'
import type { PageId } from '../../shared/pages.ts'
import { createAddress, NOON, VALID } from '../../tools/harness/client.ts'

export { NOON, VALID }

export interface Site {
  /** `http://127.0.0.1:PORT` */
  url: string
  store: Store
  /** Log entries, oldest first. */
  logged: Record<string, unknown>[]
  /** The site's clock for forms, messages and limits, in epoch ms. A test sets `time`; a real clock runs on from it. */
  clock: { time: number }
  /** The text that Prometheus reads. */
  readMetrics(): Promise<string>
  messages(): Promise<Message[]>
  stop(): Promise<void>
}

interface SiteOptions extends Pick<Overrides, 'parts' | 'limits' | 'storeTimeoutMs'> {
  environment?: Record<string, string>
  /** Path of a database to open again, as after a restart. */
  database?: string
  /** Collects metrics. */
  counted?: boolean
  /** Uses the real clock, as a browser does. The default clock moves only when the test sets it. */
  realTime?: boolean
}

/** More than a transaction needs on a busy machine. */
const STORE_TIMEOUT_MS = 60_000

/** The real site in this process, on a free port, with its own database. */
export async function openSite(options: SiteOptions = {}): Promise<Site> {
  const { environment, database, realTime, counted, ...overrides } = options
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const config = loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `sqlite:${database ?? join(folder, 'inbox.sqlite')}`,
    METRICS_PORT: counted ? '0' : undefined,
    ...environment,
  })
  const start = Date.now()
  const clock = { time: realTime ? start : NOON }
  const logged: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void logged.push(JSON.parse(line)) }
  const log = createLog({ level: 'info', destination })
  const now = () => clock.time + (realTime ? Date.now() - start : 0)
  const site = await startSite(config, { log, now, storeTimeoutMs: STORE_TIMEOUT_MS, ...overrides })
  return {
    url: `http://127.0.0.1:${site.port}`,
    store: site.store,
    logged,
    clock,
    async readMetrics() {
      return (await site.readMetrics?.()) ?? ''
    },
    messages: () => listMessages(site.store, {}),
    async stop() {
      // Does not wait for connections that a test leaves open.
      await site.stop(0)
      await rm(folder, { recursive: true })
    },
  }
}

/** Headers of a new visitor, for a site behind one proxy. */
export const createVisitor = () => ({ 'X-Forwarded-For': createAddress() })

/** In ms; short, so that the site soon refuses a client that stops sending. */
export const SHORT_LIMITS = {
  headersTimeout: 300,
  requestTimeout: 500,
  connectionsCheckingInterval: 50,
  timeout: 3000,
}

export const BEHIND_PROXY = { TRUST_PROXY: '1' }

export function post(site: Pick<Site, 'url'>, body: object | string = VALID, headers: object = {}) {
  return request(site.url)
    .post('/api/contact')
    .set({ 'Content-Type': 'application/json', ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body))
}

export function postForm(
  site: Pick<Site, 'url'>,
  fields: Record<string, string> | string,
  headers: object = {},
) {
  return request(site.url)
    .post('/contact')
    .redirects(0)
    .set({ 'Content-Type': 'application/x-www-form-urlencoded', ...headers })
    .send(typeof fields === 'string' ? fields : new URLSearchParams(fields).toString())
}

export const DIST = join(import.meta.dirname, '../../dist')

/** The real renderer, except that these pages throw. */
export async function createFailingRenderer(...failing: PageId[]): Promise<Renderer> {
  const real = await createBundleRenderer(DIST)
  return {
    ...real,
    async render(state) {
      if (failing.includes(state.page)) throw new Error(`${state.page} is broken`)
      return real.render(state)
    },
  }
}
