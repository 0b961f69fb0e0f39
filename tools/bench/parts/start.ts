import { postMessage, send } from '../../harness/client.ts'
import { atMost, medianRatio } from '../figures.ts'
import { startBenchSite, startPeer } from '../processes.ts'
import { interleave, type Part } from '../rounds.ts'

export const measure: Part = async (folder) => {
  const first = await startBenchSite(folder)
  await postMessage(first.url)
  const sample = await send(first.url, { path: '/' })
  await first.end()

  const [ours = [], express = []] = await interleave([
    async () => {
      const site = await startBenchSite(folder)
      await site.end()
      return site.startedIn
    },
    async () => {
      const begin = performance.now()
      const peer = await startPeer(sample)
      await send(`http://127.0.0.1:${peer.port}`, { path: '/' })
      const startedIn = performance.now() - begin
      await peer.end()
      return startedIn
    },
  ])
  return {
    title: 'Start',
    how: 'from the spawn of `node server/main.js` to the end of its first 200, over a store with a message; Express with helmet() starts without a store.',
    figures: [atMost('start, of Express with helmet', medianRatio(ours, express), 'ratio', 2.5)],
  }
}
