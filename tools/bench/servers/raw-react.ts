import type { RequestListener } from 'node:http'
import { Writable } from 'node:stream'
import type { prepare as Prepare } from '../../../client/entry-server.tsx'
import { type Answer, serve } from './serve.ts'

const BUNDLE = new URL('../../../dist/server/entry-server.js', import.meta.url).href

const ROOT = '<div id="root">'

/** The state that a page was rendered from, as it says itself. */
function readState(html: string) {
  const json = /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(html)?.[1]
  if (!json) throw new Error('The page does not say its state')
  return JSON.parse(json)
}

/** react-dom's stream of the page's own tree between the page's own head and tail, and nothing else. */
serve<Answer>(async ({ headers, body }): Promise<RequestListener> => {
  const { prepare } = (await import(BUNDLE)) as { prepare: typeof Prepare }
  const html = Buffer.from(body).toString()
  const state = readState(html)
  const start = html.indexOf(ROOT) + ROOT.length
  const head = html.slice(0, start)
  const tail = html.slice(html.lastIndexOf('</div>', html.indexOf('id="state"')))
  return async (_request, response) => {
    const render = await prepare(state)
    const { pipe } = render({
      onShellReady() {
        response.writeHead(200, headers)
        response.write(head)
        pipe(
          new Writable({
            write: (chunk, _encoding, done) => void response.write(chunk, done),
            final: (done) => void response.end(tail, done),
          }),
        )
      },
    })
  }
})
