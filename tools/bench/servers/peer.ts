import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import helmet from 'helmet'
import type { Answer } from '../../harness/client.ts'

/** The same timeout as in the site, so that the Keep-Alive header has the same bytes. */
const KEEP_ALIVE_MS = 75_000
/** Headers of the page itself; Express and helmet add the other headers. */
const PAGE_HEADER = /^(?:content-type|content-encoding|cache-control|etag|vary)$/

export type Sample = Pick<Answer, 'headers' | 'bytes'>

/** Receives a sample, serves it on a free port and reports the port. Set up as helmet's documentation shows. */
process.once('message', ({ headers, bytes }: Sample) => {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => PAGE_HEADER.test(name)))
  const app = express()
  app.use(helmet())
  app.get('/', (_req, res) => {
    res.set(own).send(Buffer.from(bytes))
  })
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app)
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
