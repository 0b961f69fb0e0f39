import express from 'express'
import helmet from 'helmet'
import { type Answer, serve } from './serve.ts'

/** What the page itself says of its bytes; the other headers are helmet's own. */
const OWN = /^(?:content-type|content-encoding|cache-control|etag|vary)$/i

/** Express with helmet as its documentation has it, answering the same bytes as a constant. */
serve<Answer>(({ headers, body }) => {
  const own: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    if (OWN.test(name)) own[name] = value
  }
  const bytes = Buffer.from(body)
  const app = express()
  app.use(helmet())
  app.get('/', (_req, res) => {
    res.set(own).send(bytes)
  })
  return app
})
