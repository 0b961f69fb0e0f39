import { join } from 'node:path'
import { createApp } from '../../server/app.ts'
import { loadConfig } from '../../server/config.ts'
import { createInbox } from '../../server/inbox/open.ts'
import { listen } from '../../server/listen.ts'
import { createLog } from '../../server/log.ts'
import { createMetrics } from '../../server/ops/metrics.ts'
import { createBundleRenderer } from '../../server/pages/bundle-renderer.ts'
import { createFiles } from '../../server/pages/files.ts'
import { serve } from '../../server/socket.ts'

/** The real app with the real bundle, save that a renderer without a build is never answered from memory. */
const dist = join(import.meta.dirname, '../../dist')
const config = loadConfig(process.env)
const log = createLog(config.logLevel)
const renderer = { ...(await createBundleRenderer(dist)), build: undefined }
const files = await createFiles(join(dist, 'client'))
const inbox = createInbox(config.database)
const listening = await listen(config.host, config.port)
const app = createApp({
  config,
  log,
  renderer,
  files,
  inbox,
  metrics: createMetrics({ inbox, mails: false }),
  origin: `http://localhost:${listening.port}`,
  now: Date.now,
  isStopping: () => false,
})
serve(listening, app, { config, log })
