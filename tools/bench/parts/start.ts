import { postMessage } from '../../harness/client.ts'
import { atMost, median } from '../figures.ts'
import { startSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

/** Measures a start up to the first answer. */
export const measure: Part = async ({ pace, createFolder }) => {
  const folder = createFolder()
  const first = await startSite({ folder })
  await postMessage(first.url)
  await first.end()

  async function timeStart(environment: Record<string, string> = {}): Promise<number> {
    const site = await startSite({ folder, unpinned: true, environment })
    await site.end()
    return site.startedIn
  }
  const starts: number[] = []
  const startsWithoutCache: number[] = []
  for (let count = 0; count < pace.repeats; count++) {
    starts.push(await timeStart())
    startsWithoutCache.push(await timeStart({ NODE_DISABLE_COMPILE_CACHE: '1' }))
  }
  return {
    title: 'Start',
    how: `the median of ${pace.repeats} starts, from the spawn of \`node server/main.js\` to the end of its first 200, over a store with a message.`,
    figures: [
      atMost('cold start to the first 200', median(starts), 'ms', 400),
      { name: 'the same without a compile cache', value: median(startsWithoutCache), unit: 'ms' },
    ],
  }
}
