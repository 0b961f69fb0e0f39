import { postMessage } from '../../harness/client.ts'
import { atMost, median } from '../figures.ts'
import { startBenchSite } from '../processes.ts'
import type { Part } from '../rounds.ts'

const STARTS = 9

export const measure: Part = async (createFolder) => {
  const folder = createFolder()
  const first = await startBenchSite({ folder })
  await postMessage(first.url)
  await first.end()

  const starts: number[] = []
  for (let count = 0; count < STARTS; count++) {
    const site = await startBenchSite({ folder, unpinned: true })
    await site.end()
    starts.push(site.startedIn)
  }
  return {
    title: 'Start',
    how: `the median of ${STARTS} starts, from the spawn of \`node server/main.js\` to the end of its first 200, over a store with a message.`,
    figures: [atMost('cold start to the first 200', median(starts), 'ms', 500)],
  }
}
