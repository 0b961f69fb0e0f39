import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** As long as the site's own, so that it says the same in its header. */
const KEEP_ALIVE = 75_000

/** One answer as it was given, headers as names and values in turn. */
export interface Answer {
  headers: string[]
  body: Buffer
}

/** Told an answer by the bench, listens on a free port and tells it. */
export function serve<Question>(
  createListener: (question: Question) => RequestListener | Promise<RequestListener>,
): void {
  process.once('message', async (question: Question) => {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE }, await createListener(question))
    server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  })
}
