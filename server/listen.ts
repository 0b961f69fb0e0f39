import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMessages, type Messages } from './messages.ts'

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
}

/** Listens on a host; `localhost` stands for both loopback addresses, port 0 for a free one. */
export async function listen(
  host: string,
  port: number,
  limits: Limits = LIMITS,
): Promise<Listening> {
  const messages = createMessages()
  const servers = await openAll(host, port, { ...limits, ...messages.options })
  return { port: portOf(servers[0]), servers, messages }
}

type Servers = [Server, ...Server[]]

async function openAll(host: string, port: number, options: Options): Promise<Servers> {
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

async function open(host: string, port: number, options: Options): Promise<Server> {
  const { maxConnections, timeout, ...rest } = options
  // A request without Host is ours to refuse: Node would do it without the headers of every answer.
  const server = createServer({ ...rest, requireHostHeader: false })
  server.maxConnections = maxConnections
  server.timeout = timeout
  server.maxHeadersCount = MAXIMUM_HEADERS + 1
  server.listen(port, host)
  await once(server, 'listening')
  return server
}
