import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import helmet from 'helmet'

/** The same timeout as in the site, so that the Keep-Alive header has the same bytes. */
const KEEP_ALIVE_MS = 75_000
/** Headers of the page itself; Express and helmet add the other headers. */
const PAGE_HEADER = /^(?:content-type|content-encoding|cache-control|etag|vary)$/

/** An answer of the site. */
export interface Sample {
  headers: NodeJS.Dict<string | string[]>
  body: Buffer
}

/** Receives a sample, serves it on a free port and reports the port. Set up as helmet's documentation shows. */
process.once('message', ({ headers, body }: Sample) => {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => PAGE_HEADER.test(name)))
  const bytes = Buffer.from(body)
  const app = express()
  app.use(helmet())
  app.get('/', (_req, res) => {
    res.set(own).send(bytes)
  })
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app)
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
