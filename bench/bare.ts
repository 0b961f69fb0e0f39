import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** A bare node:http server that writes one answer: what any other server is measured against. */
process.on('message', ({ status, headers, body }: Answer) => {
  const bytes = Buffer.from(body)
  const fixed = { ...headers, 'content-length': String(bytes.length) }
  for (const name of ['date', 'connection', 'keep-alive', 'transfer-encoding']) {
    delete (fixed as IncomingHttpHeaders)[name]
  }
  const answer = (response: ServerResponse) => response.writeHead(status, fixed).end(bytes)
  const server = createServer((request, response) => {
    if (request.method === 'GET') answer(response)
    else request.resume().on('end', () => answer(response))
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
