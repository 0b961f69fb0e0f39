import { connect } from 'node:net'
import { CONTENT, toGet } from '../addresses.ts'
import { atMost, median, write } from '../figures.ts'
import { writeGet, writePost } from '../load.ts'
import { startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

const WARM_REQUESTS = 200

/** Time to the first byte of an answer on an open connection, in ms. */
function timeFirstByte(port: number, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const begin = performance.now()
      socket.once('data', () => {
        resolve(performance.now() - begin)
        socket.destroy()
      })
      socket.write(request)
    }).once('error', reject)
  })
}

async function timeEach(port: number, requests: Buffer[]): Promise<number[]> {
  const times: number[] = []
  for (const request of requests) times.push(await timeFirstByte(port, request))
  return times
}

/** Measures a start up to the first answer, and requests up to their first byte. */
export const measure: Part = async ({ pace, createFolder }) => {
  const folder = createFolder()
  const first = await startSite({ folder })
  await timeFirstByte(first.port, writePost(1))
  await first.end()

  const home = writeGet({ path: '/' })
  const others = CONTENT.filter(({ page }) => page.id !== 'home').map((each) =>
    writeGet(toGet(each)),
  )
  const starts: number[] = []
  const startsWithoutCache: number[] = []
  const cold: number[] = []
  const warm: number[] = []
  for (let count = 0; count < pace.starts; count++) {
    const site = await startSite({ folder, unpinned: true })
    starts.push(site.startedIn)
    cold.push(...(await timeEach(site.port, others)))
    warm.push(...(await timeEach(site.port, Array(WARM_REQUESTS).fill(home))))
    await site.end()
    const environment = { NODE_DISABLE_COMPILE_CACHE: '1' }
    const uncompiled = await startSite({ folder, unpinned: true, environment })
    startsWithoutCache.push(uncompiled.startedIn)
    await uncompiled.end()
  }
  return {
    title: 'Start and first byte',
    how: `the median of ${pace.starts} starts, from the spawn of \`node server/main.ts\` to the end of its first 200, over a store with a message, with and without a compile cache.`,
    figures: [
      atMost('cold start to the first 200', median(starts), 'ms', 400),
      {
        name: 'cold start without a compile cache',
        value: median(startsWithoutCache),
        unit: 'ms',
      },
      { name: 'time to first byte, cached page', value: median(warm), unit: 'ms' },
      { name: 'time to first byte, first render', value: median(cold), unit: 'ms' },
    ],
    table: {
      head: ['', 'fastest', 'median', 'slowest'],
      rows: Object.entries({
        start: starts,
        'start without a compile cache': startsWithoutCache,
        'cold page': cold,
        'warm page': warm,
      }).map(([name, times]) => [
        name,
        ...[Math.min(...times), median(times), Math.max(...times)].map((time) => write(time, 'ms')),
      ]),
    },
  }
}
