import { connect } from 'node:net'
import { CONTENT, toGet } from '../addresses.ts'
import { median, write } from '../figures.ts'
import { writeGet, writePost } from '../load.ts'
import type { Part } from '../main.ts'
import { startSite } from '../processes.ts'

const WARM_REQUESTS = 200

/** How long the first byte of an answer takes, in ms, on a connection that is already open. */
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

/** How long it takes from a start to an answer, and then from a request to its first byte. */
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
    how: `A start is timed from when \`node server/main.ts\` is spawned to the end of its first 200, asked for every millisecond, with a store that holds a message and the code that Node kept compiled at an earlier start; the median of ${pace.starts} starts, and of as many without such a cache, as in the image. A cold page is one that this process has never rendered, the warm one is kept; both on a new connection, timed from the request, one at a time.`,
    figures: [
      {
        name: 'cold start to the first 200',
        value: median(starts),
        unit: 'ms',
        limit: { most: 400 },
      },
      {
        name: 'cold start without a compile cache',
        value: median(startsWithoutCache),
        unit: 'ms',
      },
      { name: 'time to first byte, page kept', value: median(warm), unit: 'ms' },
      { name: 'time to first byte, page never rendered', value: median(cold), unit: 'ms' },
    ],
    tables: [
      {
        head: ['', 'fastest', 'median', 'slowest'],
        rows: Object.entries({
          start: starts,
          'start without a compile cache': startsWithoutCache,
          'cold page': cold,
          'warm page': warm,
        }).map(([name, times]) => [
          name,
          ...[Math.min(...times), median(times), Math.max(...times)].map((time) =>
            write(time, 'ms'),
          ),
        ]),
      },
    ],
  }
}
