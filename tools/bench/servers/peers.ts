import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import type { prepare as Prepare } from '../../../client/entry-server.tsx'

/** The same timeout as in the site, so that the Keep-Alive header has the same bytes. */
const KEEP_ALIVE_MS = 75_000
const BUNDLE = new URL('../../../dist/server/entry-server.js', import.meta.url).href
const ROOT = '<div id="root">'
/** Headers of the page itself; Express and helmet add the other headers. */
const PAGE_HEADER = /^(?:content-type|content-encoding|cache-control|etag|vary)$/i

/** An answer of the site. In `headers`, names and values alternate. */
export interface Sample {
  headers: string[]
  body: Buffer
}

export interface Question extends Sample {
  peer: 'bare' | 'express' | 'react'
}

const createBare =
  ({ headers, body }: Sample): RequestListener =>
  (_request, response) =>
    response.writeHead(200, headers).end(body)

/** Express with helmet, set up as helmet's documentation shows; the body is constant. */
async function createExpress({ headers, body }: Sample): Promise<RequestListener> {
  const { default: express } = await import('express')
  const { default: helmet } = await import('helmet')
  const own: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    if (PAGE_HEADER.test(name)) own[name] = value
  }
  const bytes = Buffer.from(body)
  const app = express()
  app.use(helmet())
  app.get('/', (_req, res) => {
    res.set(own).send(bytes)
  })
  return app
}

/** Streams the page's tree with react-dom, between the head and the tail of the sample. */
async function createReact({ headers, body }: Sample): Promise<RequestListener> {
  const { prepare } = (await import(BUNDLE)) as { prepare: typeof Prepare }
  const html = Buffer.from(body).toString()
  const json = /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(html)?.[1]
  if (!json) throw new Error('The page has no element #state')
  const state = JSON.parse(json)
  const head = html.slice(0, html.indexOf(ROOT) + ROOT.length)
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
}

const PEERS = { bare: createBare, express: createExpress, react: createReact }

/** Receives a sample, serves it on a free port and reports the port. */
process.once('message', async ({ peer, ...sample }: Question) => {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, await PEERS[peer](sample))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
