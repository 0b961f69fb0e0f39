import { once } from 'node:events'
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Longer than the 60 s that proxies keep a connection, so that they never write into a closed one. */
const KEEP_ALIVE = 75_000

const OPTIONS: ServerOptions = {
  keepAliveTimeout: KEEP_ALIVE,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1000,
}

export interface Listening {
  port: number
  servers: Server[]
}

/** Listens on a host; `localhost` stands for both loopback addresses, port 0 for a free one. */
export async function listen(host: string, port: number): Promise<Listening> {
  if (host !== 'localhost') {
    const server = await open(host, port)
    return { port: portOf(server), servers: [server] }
  }
  const server = await open('127.0.0.1', port)
  const twin = await open('::1', portOf(server)).catch((error) => {
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return undefined
    server.close()
    throw error
  })
  return { port: portOf(server), servers: twin ? [server, twin] : [server] }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function open(host: string, port: number): Promise<Server> {
  const server = createServer(OPTIONS)
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
