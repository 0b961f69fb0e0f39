import { readMemory, startSiteProcess } from '../../harness/process.ts'
import { atMost, median, write } from '../figures.ts'
import { CONNECTIONS, CONTENT, toGet } from '../load.ts'
import { startGenerator, startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

const SAMPLES = 9

/** Every content page except the contact page, in both languages, each without compression and with brotli. */
const requests = CONTENT.filter(({ page }) => page.id !== 'contact').flatMap((address) =>
  ['identity', 'br'].map((encoding) => toGet(address, { 'Accept-Encoding': encoding })),
)

/** Measures the second start, because the first one fills Node's compile cache. */
async function weighStart(): Promise<number> {
  const first = await startSiteProcess({})
  await first.stop()
  const { child, stop } = await startSiteProcess({})
  const memory = readMemory(child)
  await stop()
  return memory
}

/** Measures the memory of a new process, then of another process after `first` and after `last` requests. */
export const measure: Part = async ({ pace, createFolder }) => {
  const before = await weighStart()
  const site = await startSite({ folder: createFolder() })
  const generator = startGenerator()
  async function ask(answers: number): Promise<void> {
    await generator.run({ port: site.port, requests, answers })
    site.emptyLog()
  }
  /** The median of several samples, because each garbage collection changes the memory. */
  async function weigh(): Promise<number> {
    const samples: number[] = []
    for (let sample = 0; sample < SAMPLES; sample++) {
      await ask(pace.requests.first / 20)
      samples.push(site.getMemory())
    }
    return median(samples)
  }

  const { first, last } = pace.requests
  await ask(first)
  const early = await weigh()
  for (let quarter = 0; quarter < 4; quarter++) await ask((last - first) / 4)
  const late = await weigh()
  await Promise.all([site.end(), generator.end()])
  const name = `memory after ${write(last, 'count')} requests`
  return {
    title: 'Memory',
    how: `resident memory under ${requests.length} different requests in turn over ${CONNECTIONS} connections, without a forced collection.`,
    figures: [
      atMost('memory before the first request', before, 'MiB', 125),
      atMost(name, late, 'MiB', 185),
      atMost(`${name}, of that after ${write(first, 'count')}`, late / early, 'ratio', 1.3),
    ],
  }
}
