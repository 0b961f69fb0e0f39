import { parseArgs } from 'node:util'
import { createReport, type Proof } from './proof.ts'

const PROOFS = ['kills', 'operate', 'smoke', 'browsers']
const USAGE = `Usage: npm run prove -- ${PROOFS.join('|')} [--count N] [--store sqlite|postgres] [--site URL]`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    store: { type: 'string', multiple: true },
    site: { type: 'string' },
  },
})
const [name = ''] = positionals
if (PROOFS.includes(name)) {
  const { prove }: { prove: Proof } = await import(`./${name}.ts`)
  const report = createReport()
  const { count, store: stores, site } = values
  await prove({ report, count: count ? Number(count) : undefined, stores, site })
  process.exitCode = report.finish()
} else {
  console.error(USAGE)
  process.exitCode = 2
}
