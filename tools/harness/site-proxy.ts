import { createServer, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createAddress } from './client.ts'
import { listenLocally } from './process.ts'

/** Starts a proxy between one visitor and the site. */
export async function startSiteProxy(site: string) {
  const visitor = createAddress()
  const server = createServer((incoming, outgoing) => {
    const { method, url } = incoming
    const { held } = proxy
    if (method === 'POST') proxy.posts += 1
    const headers = { ...incoming.headers, 'x-forwarded-for': visitor }
    if (held) headers['accept-encoding'] = 'identity'
    const sent = request(site + url, { method, headers }, async (received) => {
      outgoing.writeHead(received.statusCode ?? 502, received.headers)
      if (held && received.headers['content-type']?.startsWith('text/html')) {
        const page = await text(received)
        const end = page.indexOf('<footer')
        outgoing.write(page.slice(0, end))
        await held
        outgoing.end(page.slice(end))
      } else received.pipe(outgoing)
    })
    incoming.pipe(sent).once('error', () => outgoing.destroy())
  })
  server.on('connection', (socket) => {
    if (proxy.isDown) socket.destroy()
  })
  const proxy = {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    posts: 0,
    isDown: false,
    /** While this promise is pending, the proxy sends only the part of a page before the footer. */
    held: undefined as Promise<void> | undefined,
    cut() {
      proxy.isDown = true
      server.closeAllConnections()
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}

export type SiteProxy = Awaited<ReturnType<typeof startSiteProxy>>
