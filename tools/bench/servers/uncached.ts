import { join } from 'node:path'
import { createMetrics } from '../../../server/api/metrics/metrics.ts'
import { createApp } from '../../../server/app.ts'
import { loadConfig } from '../../../server/config/config.ts'
import { listen } from '../../../server/connection/listen.ts'
import { serve } from '../../../server/connection/serve.ts'
import { createInbox } from '../../../server/inbox/create-inbox.ts'
import { createLog } from '../../../server/log.ts'
import { createBundleRenderer } from '../../../server/pages/bundle-renderer.ts'
import { createFiles } from '../../../server/pages/static-files.ts'

/** The real app with the real bundle, save that a renderer without a build is never answered from memory. */
const dist = join(import.meta.dirname, '../../../dist')
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
