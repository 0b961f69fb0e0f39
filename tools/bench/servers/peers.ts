import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The same timeout as in the site, so that the Keep-Alive header has the same bytes. */
const KEEP_ALIVE_MS = 75_000
/** Headers of the page itself; Express and helmet add the other headers. */
const PAGE_HEADER = /^(?:content-type|content-encoding|cache-control|etag|vary)$/i

/** An answer of the site. In `headers`, names and values alternate. */
export interface Sample {
  headers: string[]
  body: Buffer
}

export interface Question extends Sample {
  peer: 'bare' | 'express'
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

const PEERS = { bare: createBare, express: createExpress }

/** Receives a sample, serves it on a free port and reports the port. */
process.once('message', async ({ peer, ...sample }: Question) => {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, await PEERS[peer](sample))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
