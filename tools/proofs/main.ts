import { parseArgs } from 'node:util'
import { createRandom } from '../harness/random.ts'
import { createReport } from './report.ts'

/** Each proof is loaded only when it is asked for; the seed makes its random moments come again. */
const PROOFS: Record<string, () => Promise<{ prove: Proof }>> = {
  kills: () => import('./kills.ts'),
  limits: () => import('./limits.ts'),
  locks: () => import('./locks.ts'),
  disk: () => import('./disk.ts'),
  erase: () => import('./erase.ts'),
  syncs: () => import('./syncs.ts'),
  million: () => import('./million.ts'),
  mail: () => import('./mail.ts'),
  clocks: () => import('./clocks.ts'),
  headers: () => import('./headers.ts'),
  fuzz: () => import('./fuzz.ts'),
  sweep: () => import('./sweep.ts'),
  slow: () => import('./slow.ts'),
  observatory: () => import('./observatory.ts'),
  canary: () => import('./canary.ts'),
  stops: () => import('./stops.ts'),
  soak: () => import('./soak.ts'),
  image: () => import('./image.ts'),
  smoke: () => import('./smoke.ts'),
  lighthouse: () => import('./lighthouse.ts'),
}

export interface ProofParts {
  random: ReturnType<typeof createRandom>
  report: ReturnType<typeof createReport>
  /** How often, or how many; each proof has a number of its own. */
  count?: number
  /** Which kinds of store; all that the proof is for when empty. */
  stores: string[]
  /** The origin of a site that runs already, and whether it may be sent a message; for `smoke`. */
  site?: string
  /** How long; for `soak`. */
  minutes?: number
  post?: boolean
}

export type Proof = (parts: ProofParts) => Promise<void>

const USAGE = `Usage: npm run prove -- ${Object.keys(PROOFS).join('|')} [--seed N] [--count N] [--store sqlite|postgres] [--minutes N] [--site URL] [--post]`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    store: { type: 'string', multiple: true },
    minutes: { type: 'string' },
    site: { type: 'string' },
    post: { type: 'boolean' },
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
  const { store: stores = [], site, post } = values
  await prove({ random: createRandom(seed), report, count, stores, minutes, site, post })
  process.exitCode = report.finish()
} else {
  console.error(USAGE)
  process.exitCode = 2
}
