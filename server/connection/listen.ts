import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMessages, type Messages } from './express-prototypes.ts'
import { createServer } from './node-http.ts'

/** Longer than the 60 s that proxies keep a connection, so that they never write into a closed one. */
const KEEP_ALIVE = 75_000

/** A browser sends 20 headers or so. Node drops what is beyond its own count: one more lets us see that, and refuse. */
export const MAXIMUM_HEADERS = 100

/** How much one client may take, and for how long; times in ms, sizes in bytes. */
export const LIMITS = {
  keepAliveTimeout: KEEP_ALIVE,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1000,
  /** Silence in the middle of an answer: of one who asks, and does not read. */
  timeout: 30_000,
  /** A browser sends 1 or 2 kB; other sites under the same domain may have set cookies, too. */
  maxHeaderSize: 16 * 1024,
  /** In each process. One that was answered takes about 25 kB, so the most that there are take 125 MB. */
  maxConnections: 5000,
}
export type Limits = typeof LIMITS
type Options = Limits & Messages['options']

export interface Listening {
  port: number
  servers: Server[]
  messages: Messages
  /** Has a listener answer what is asked, also what has been asked before. */
  answer(listener: RequestListener): void
}

type Request = Parameters<RequestListener>

/** Listens on a host; `localhost` stands for both loopback addresses, port 0 for a free one. */
export async function listen(
  host: string,
  port: number,
  limits: Limits = LIMITS,
): Promise<Listening> {
  const messages = createMessages()
  const early: Request[] = []
  const hold = (...request: Request) => early.push(request)
  const servers = await openAll(host, port, (address, wanted) =>
    open(createBounded({ ...limits, ...messages.options }).on('request', hold), address, wanted),
  )
  return {
    port: portOf(servers[0]),
    servers,
    messages,
    answer(listener) {
      for (const server of servers) server.off('request', hold).on('request', listener)
      for (const request of early.splice(0)) listener(...request)
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

async function openAll(host: string, port: number, openOne: Open): Promise<Servers> {
  if (host !== 'localhost') return [await openOne(host, port)]
  const server = await openOne('127.0.0.1', port)
  const twin = await openOne('::1', portOf(server)).catch((error) => {
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return undefined
    server.close()
    throw error
  })
  return twin ? [server, twin] : [server]
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

function createBounded({ maxConnections, timeout, ...options }: Options): Server {
  // A request without Host is ours to refuse: Node would do it without the headers of every answer.
  const server = createServer({ ...options, requireHostHeader: false })
  server.maxConnections = maxConnections
  server.timeout = timeout
  server.maxHeadersCount = MAXIMUM_HEADERS + 1
  return server
}

async function open(server: Server, host: string, port: number): Promise<Server> {
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
