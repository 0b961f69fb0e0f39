import { createServer, request } from 'node:http'
import { createAddress } from './client.ts'
import { listenLocally } from './process.ts'

/** Starts a proxy between one visitor and the site. */
export async function startSiteProxy(site: string) {
  const visitor = createAddress()
  const server = createServer((incoming, outgoing) => {
    const { method, url } = incoming
    if (method === 'POST') proxy.posts += 1
    const headers = { ...incoming.headers, 'x-forwarded-for': visitor }
    const sent = request(site + url, { method, headers }, (received) => {
      outgoing.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(outgoing)
    })
    incoming.pipe(sent).once('error', () => outgoing.destroy())
  })
  const proxy = {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    posts: 0,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}

export type SiteProxy = Awaited<ReturnType<typeof startSiteProxy>>
