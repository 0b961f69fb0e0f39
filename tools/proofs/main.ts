import { parseArgs } from 'node:util'
import { createRandom } from '../harness/numbers.ts'
import { createReport, type Proof } from './proof.ts'

/** The files in this folder that are proofs. */
const PROOFS = [
  ...['kills', 'limits', 'million', 'mail', 'fuzz', 'stops'],
  ...['soak', 'operate', 'image', 'smoke', 'browsers'],
]

const USAGE = `Usage: npm run prove -- ${PROOFS.join('|')} [--seed N] [--count N] [--store sqlite|postgres] [--minutes N] [--site URL] [--post] [--engine Chromium|Firefox|WebKit]`

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
const [name = ''] = positionals
if (PROOFS.includes(name)) {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`${name}, --seed ${seed}`)
  const report = createReport()
  const count = values.count === undefined ? undefined : Number(values.count)
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
  const { prove }: { prove: Proof } = await import(`./${name}.ts`)
  const { store: stores, engine: engines, site, post } = values
  await prove({ random: createRandom(seed), report, count, stores, minutes, site, post, engines })
  process.exitCode = report.finish()
} else {
  console.error(USAGE)
  process.exitCode = 2
}
