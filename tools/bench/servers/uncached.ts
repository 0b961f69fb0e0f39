import { join } from 'node:path'
import { loadConfig } from '../../../server/config/config.ts'
import { createBundleRenderer } from '../../../server/pages/bundle-renderer.ts'
import { startSite } from '../../../server/site.ts'

/** The real site, but its renderer has no build id, so no page is cached. */
const renderer = await createBundleRenderer(join(import.meta.dirname, '../../../dist'))
await startSite(loadConfig(process.env), { parts: { renderer: { ...renderer, build: undefined } } })
