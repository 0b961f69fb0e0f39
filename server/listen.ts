import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
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
  /** Lets an app answer, also what has been asked before. */
  serve(app: Express): void
  /** The same for what is no app. */
  answer(listener: RequestListener): void
}

type Request = Parameters<RequestListener>

/** Listens on a host; `localhost` stands for both loopback addresses, port 0 for a free one. */
export async function listen(host: string, port: number): Promise<Listening> {
  const messages = createMessages()
  const early: Request[] = []
  const hold = (...request: Request) => early.push(request)
  const open = (address: string, wanted: number) =>
    openServer(createServer({ ...OPTIONS, ...messages.options }, hold), address, wanted)
  const servers = await openAll(host, port, open)

  function answer(listener: RequestListener): void {
    for (const server of servers) server.off('request', hold).on('request', listener)
    for (const request of early) listener(...request)
  }

  return {
    port: portOf(servers[0]),
    servers,
    answer,
    serve(app) {
      messages.adopt(app)
      answer(app)
    },
  }
}

/** A port on which nobody listens at this moment. */
export async function findFreePort(host: string): Promise<number> {
  const { port, servers } = await listen(host, 0)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return port
}

type Servers = [Server, ...Server[]]

type Open = (host: string, port: number) => Promise<Server>

async function openAll(host: string, port: number, open: Open): Promise<Servers> {
  if (host !== 'localhost') return [await open(host, port)]
  const server = await open('127.0.0.1', port)
  const twin = await open('::1', portOf(server)).catch((error) => {
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return undefined
    server.close()
    throw error
  })
  return twin ? [server, twin] : [server]
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function openServer(server: Server, host: string, port: number): Promise<Server> {
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
