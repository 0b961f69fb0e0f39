import { parseArgs } from 'node:util'
import { createRandom } from '../harness/numbers.ts'
import { createReport, type Proof } from './proof.ts'

const PROOFS: Record<string, () => Promise<{ prove: Proof }>> = {
  kills: () => import('./kills.ts'),
  limits: () => import('./limits.ts'),
  million: () => import('./million.ts'),
  mail: () => import('./mail.ts'),
  fuzz: () => import('./fuzz.ts'),
  prism: () => import('./prism.ts'),
  slow: () => import('./slow.ts'),
  stops: () => import('./stops.ts'),
  soak: () => import('./soak.ts'),
  restore: () => import('./restore.ts'),
  image: () => import('./image.ts'),
  alarms: () => import('./alarms.ts'),
  smoke: () => import('./smoke.ts'),
  browsers: () => import('./browsers.ts'),
}

const USAGE = `Usage: npm run prove -- ${Object.keys(PROOFS).join('|')} [--seed N] [--count N] [--store sqlite|postgres] [--minutes N] [--site URL] [--post] [--engine Chromium|Firefox|WebKit]`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    store: { type: 'string', multiple: true },
    minutes: { type: 'string' },
    site: { type: 'string' },
    post: { type: 'boolean' },
    engine: { type: 'string', multiple: true },
  },
})
const load = PROOFS[positionals[0] ?? '']
if (load) {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`${positionals[0]}, --seed ${seed}`)
  const report = createReport()
  const count = values.count === undefined ? undefined : Number(values.count)
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
  const { prove } = await load()
  const { store: stores, engine: engines, site, post } = values
  await prove({ random: createRandom(seed), report, count, stores, minutes, site, post, engines })
  process.exitCode = report.finish()
} else {
  console.error(USAGE)
  process.exitCode = 2
}
