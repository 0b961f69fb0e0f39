import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface Site {
  url: string
}

/** Formats a request with `Connection: close`; pass `Connection: undefined` to keep the connection open. */
export function writeRequest(
  method: string,
  path: string,
  headers: Record<string, string | number | undefined> = {},
  body = '',
): string {
  const all = { Host: 'localhost', Connection: 'close', ...headers }
  const lines = Object.entries(all).filter(([, value]) => value !== undefined)
  return [
    `${method} ${path} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}

export async function openSocket(site: Site, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect(Number(new URL(site.url).port), host)
  await once(socket, 'connect')
  return socket
}

/** Sends these bytes; resolves to all bytes that the server sends until it closes the connection. */
export async function exchangeBytes(site: Site, request: string, host?: string): Promise<Buffer> {
  const socket = await openSocket(site, host)
  socket.write(request)
  return buffer(socket)
}

export async function exchange(site: Site, request: string, host?: string): Promise<string> {
  return (await exchangeBytes(site, request, host)).toString()
}

/** Timeout of `until`: far more than a busy machine needs. */
const TIMEOUT_MS = 60_000

/** Polls a condition that has no event; resolves to its first truthy value, rejects on an error or the timeout. */
export async function until<Value>(
  look: () => Value | Promise<Value>,
  timeoutMs = TIMEOUT_MS,
): Promise<NonNullable<Value>> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const value: Value = await look()
    if (value) return value
    if (Date.now() > end) throw new Error(`timed out after ${timeoutMs} ms waiting for ${look}`)
    await new Promise(setImmediate)
  }
}
