import { parseArgs } from 'node:util'
import { createRandom } from '../harness/numbers.ts'
import { createReport, type Proof } from './proof.ts'

const PROOFS = [
  ...['kills', 'limits', 'million', 'mail', 'fuzz', 'stops'],
  ...['soak', 'operate', 'smoke', 'browsers'],
]

const USAGE = `Usage: npm run prove -- ${PROOFS.join('|')} [--seed N] [--count N] [--store sqlite|postgres] [--site URL]`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    store: { type: 'string', multiple: true },
    site: { type: 'string' },
  },
})
const [name = ''] = positionals
if (PROOFS.includes(name)) {
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`${name}, --seed ${seed}`)
  const report = createReport()
  const count = values.count === undefined ? undefined : Number(values.count)
  const { prove }: { prove: Proof } = await import(`./${name}.ts`)
  const { store: stores, site } = values
  await prove({ random: createRandom(seed), report, count, stores, site })
  process.exitCode = report.finish()
} else {
  console.error(USAGE)
  process.exitCode = 2
}
