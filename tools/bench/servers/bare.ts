import { type Answer, serve } from './serve.ts'

/** Bare node:http that writes one answer: what Node itself can do. */
serve<Answer>(({ headers, body }) => (_request, response) => {
  response.writeHead(200, headers).end(body)
})
