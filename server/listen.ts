import { once } from 'node:events'
import type { Server, ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import { createServer } from './http.ts'
import { createMessages } from './messages.ts'

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
  /** Lets an app answer. */
  serve(app: Express): void
}

/** Listens on a host; `localhost` stands for both loopback addresses, port 0 for a free one. */
export async function listen(host: string, port: number): Promise<Listening> {
  const messages = createMessages()
  const options = { ...OPTIONS, ...messages.options }
  const servers = await openAll(host, port, options)
  return {
    port: portOf(servers[0]),
    servers,
    serve(app) {
      messages.adopt(app)
      for (const server of servers) server.on('request', app)
    },
  }
}

type Servers = [Server, ...Server[]]

async function openAll(host: string, port: number, options: ServerOptions): Promise<Servers> {
  if (host !== 'localhost') return [await open(host, port, options)]
  const server = await open('127.0.0.1', port, options)
  const twin = await open('::1', portOf(server), options).catch((error) => {
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return undefined
    server.close()
    throw error
  })
  return twin ? [server, twin] : [server]
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function open(host: string, port: number, options: ServerOptions): Promise<Server> {
  const server = createServer(options)
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
