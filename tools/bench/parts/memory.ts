import { readMemory, startSiteProcess } from '../../harness/process.ts'
import { atMost, median, write } from '../figures.ts'
import { CONTENT, toGet } from '../load.ts'
import { startGenerator, startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

const CONNECTIONS = 50
const SAMPLES = 9

/** Every content page but the form, in both languages, each without compression and with brotli. */
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

/** Measures the memory of a new process, and of another after few and after many requests. */
export const measure: Part = async ({ pace, createFolder }) => {
  const before = await weighStart()
  const site = await startSite({ folder: createFolder() })
  const generator = startGenerator()
  const ask = (answers: number) =>
    generator.run({ port: site.port, connections: CONNECTIONS, requests, answers })
  let asked = 0

  /** Measures the memory around the n-th request; returns the median of several samples. */
  async function weighAround(n: number): Promise<number> {
    const step = Math.round(pace.requests.first / 20)
    await ask(n - asked - step * (SAMPLES >> 1))
    const samples: number[] = []
    for (let sample = 0; sample < SAMPLES; sample++) {
      await ask(step)
      samples.push(site.getMemory())
    }
    asked = n - step * (SAMPLES >> 1) + step * SAMPLES
    site.emptyLog()
    return median(samples)
  }

  const { first, last } = pace.requests
  const points: [number, number][] = []
  for (let n = first; n <= last; n += (last - first) / 4) points.push([n, await weighAround(n)])
  await Promise.all([site.end(), generator.end()])
  const [early, late] = [points[0]?.[1] ?? Number.NaN, points.at(-1)?.[1] ?? Number.NaN]
  return {
    title: 'Memory',
    how: `resident memory under ${requests.length} different requests in turn over ${CONNECTIONS} connections, without a forced collection.`,
    figures: [
      atMost('memory before the first request', before, 'MiB', 110),
      atMost(`memory after ${write(last, 'count')} requests`, late, 'MiB', 170),
      atMost(
        `memory after ${write(last, 'count')} requests, of that after ${write(first, 'count')}`,
        late / early,
        'ratio',
        1.3,
      ),
    ],
    table: {
      head: ['requests', 'resident memory'],
      rows: points.map(([n, memory]) => [write(n, 'count'), write(memory, 'MiB')]),
    },
  }
}
