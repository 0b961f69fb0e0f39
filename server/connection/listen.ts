import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MAX_HEADERS } from '../requests/host-check.ts'
import { createHttpClasses, createServer } from './node-http.ts'

/** Times in ms, sizes in bytes. */
export const LIMITS = {
  /** Longer than the 60 s for which our proxies reuse a connection: they must not write into a closed one. */
  keepAliveTimeout: 75_000,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1000,
  /** Maximum inactivity within a request or an answer; ends the connection of a client that stops reading. */
  timeout: 30_000,
  /** A browser sends 1 or 2 kB, and more if other sites under the same domain have set cookies. */
  maxHeaderSize: 16 * 1024,
  /** Limit of each listening address. A connection takes about 25 kB, so 5000 take about 125 MB. */
  maxConnections: 5000,
}
export type Limits = typeof LIMITS
type Options = Limits & ReturnType<typeof createHttpClasses>['options']

/** Listens on a host: `localhost` means 127.0.0.1 and, if the machine has it, ::1. Port 0 means a free port. */
export async function listen(host: string, port: number, limits: Limits = LIMITS) {
  const httpClasses = createHttpClasses()
  const early: Parameters<RequestListener>[] = []
  const hold: RequestListener = (...request) => early.push(request)
  const servers = await openAll(host, port, async (address, wanted) => {
    const server = createBounded({ ...limits, ...httpClasses.options }).on('request', hold)
    server.listen(wanted, address)
    await once(server, 'listening')
    return server
  })
  return {
    port: getPort(servers[0]),
    servers,
    httpClasses,
    /** Attaches the listener, and gives it the requests that were received before. */
    answer(listener: RequestListener): void {
      for (const server of servers) server.off('request', hold).on('request', listener)
      for (const request of early.splice(0)) listener(...request)
    },
  }
}

export type Listening = Awaited<ReturnType<typeof listen>>

type Servers = [Server, ...Server[]]
type Open = (host: string, port: number) => Promise<Server>

async function openAll(host: string, port: number, openOne: Open): Promise<Servers> {
  if (host !== 'localhost') return [await openOne(host, port)]
  const server = await openOne('127.0.0.1', port)
  const twin = await openOne('::1', getPort(server)).catch((error) => {
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return undefined
    server.close()
    throw error
  })
  return twin ? [server, twin] : [server]
}

const getPort = (server: Server) => (server.address() as AddressInfo).port

function createBounded({ maxConnections, timeout, ...options }: Options): Server {
  // Otherwise Node itself answers a request without a Host header, and that answer lacks the security headers.
  const server = createServer({ ...options, requireHostHeader: false })
  // Answers a client that has ended its side after its request. Node's types omit the property.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.maxConnections = maxConnections
  server.timeout = timeout
  // Node silently drops the headers above this number. host-check must see one too many, to refuse the request.
  server.maxHeadersCount = MAX_HEADERS + 1
  return server
}
