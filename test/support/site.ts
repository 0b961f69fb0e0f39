import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { combine } from '../../server/api/metrics/merge-metrics.ts'
import { createMetrics } from '../../server/api/metrics/metrics.ts'
import { createApp, type Parts } from '../../server/app.ts'
import { loadConfig } from '../../server/config/config.ts'
import { LIMITS, type Limits, listen } from '../../server/connection/listen.ts'
import { serve } from '../../server/connection/serve.ts'
import type { Inbox, Message } from '../../server/inbox/inbox.ts'
import { createSqliteInbox } from '../../server/inbox/sqlite/inbox.ts'
import { createLog } from '../../server/log.ts'
import { createBundleRenderer } from '../../server/pages/bundle-renderer.ts'
import { createFiles } from '../../server/pages/static-files.ts'
import { NOON, soon } from './clock.ts'

const DIST = join(import.meta.dirname, '../../dist')

export { NOON, soon }

export interface Site {
  /** `http://127.0.0.1:PORT` */
  url: string
  inbox: Inbox
  /** What was logged, line by line. */
  logged: Record<string, unknown>[]
  /** The clock of forms, messages and limits in epoch ms; set it to move in time. */
  clock: { time: number }
  /** What Prometheus would read. */
  readMetrics(): Promise<string>
  messages(): Promise<Message[]>
  stop(): Promise<void>
}

interface SiteOptions {
  environment?: Record<string, string>
  /** Parts in place of the real ones. */
  parts?: Partial<Parts>
  /** Smaller numbers than the real ones. */
  limits?: Partial<Limits>
  maximumRequests?: number
  /** Where it listens, if not on the loopback address of IPv4. */
  host?: string
  /** A database to open again, as after a restart. */
  database?: string
  /** Counts what it does, see `Site.metrics`. */
  counted?: boolean
  /** For browsers: the clock runs on by itself, from the real time. */
  realTime?: boolean
}

function createRunningClock(): { time: number } {
  let ahead = 0
  return {
    get time() {
      return Date.now() + ahead
    },
    set time(time) {
      ahead = time - Date.now()
    },
  }
}

/** The real app over real HTTP on a free port, with a database of its own. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const { environment, parts, limits, maximumRequests, database } = options
  const { realTime = false, counted = false, host = '127.0.0.1' } = options
  const clock = realTime ? createRunningClock() : { time: NOON }
  const now = () => clock.time
  const logged: Record<string, unknown>[] = []
  const inbox = createSqliteInbox({ path: database ?? join(folder, 'inbox.sqlite'), now })
  const metrics = counted ? createMetrics({ inbox, mails: false }) : undefined
  const listening = await listen(host, 0, { ...LIMITS, ...limits })
  const { servers, port } = listening
  const config = loadConfig({ ...environment })
  const log = createLog('info', {
    write: (lines) =>
      logged.push(
        ...lines
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
  })
  const app = createApp({
    config,
    log,
    renderer: await createBundleRenderer(DIST),
    files: await createFiles(join(DIST, 'client')),
    inbox,
    metrics,
    origin: environment?.PUBLIC_URL?.split(',')[0] ?? `http://localhost:${port}`,
    now,
    isStopping: () => false,
    ...parts,
  })
  serve(listening, app, { config, log, maximumRequests })
  return {
    url: `http://127.0.0.1:${port}`,
    inbox,
    logged,
    clock,
    async readMetrics() {
      return combine([(await metrics?.read()) ?? []]).metrics()
    },
    messages: () => inbox.list({ limit: 1000, order: 'oldest-first' }, soon()),
    async stop() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
      await inbox.close()
      await rm(folder, { recursive: true })
    },
  }
}
