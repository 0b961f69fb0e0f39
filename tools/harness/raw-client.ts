import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

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

export async function openSocket({ url }: { url: string }): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Sends these bytes; resolves to all that the server sends until it closes the connection. */
export async function exchange(site: { url: string }, request: string): Promise<string> {
  const socket = await openSocket(site)
  socket.write(request)
  return text(socket)
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
