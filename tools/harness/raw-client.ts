import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Site } from '../../test/support/site.ts'

/** A request as it goes over the wire; the connection closes after the answer. */
export function writeRequest(
  method: string,
  path: string,
  headers: Record<string, string | number> = {},
  body = '',
): string {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers })
  return [
    `${method} ${path} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}

export function writeJson(body: object): string {
  const json = JSON.stringify(body)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }
  return writeRequest('POST', '/api/contact', headers, json)
}

export async function openSocket(site: Site, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect(Number(new URL(site.url).port), host)
  await once(socket, 'connect')
  return socket
}

/** Everything that is answered to these bytes, until the server closes. */
export async function exchangeBytes(site: Site, request: string, host?: string): Promise<Buffer> {
  const socket = await openSocket(site, host)
  socket.write(request)
  return buffer(socket)
}

export async function exchange(site: Site, request: string, host?: string): Promise<string> {
  return (await exchangeBytes(site, request, host)).toString()
}

/** Sends these bytes whole, and is gone before the answer. */
export async function hangUp(site: Site, request: string): Promise<void> {
  const socket = await openSocket(site)
  socket.write(request, () => socket.destroy())
  await once(socket, 'close')
}

/** In ms: far more than a busy machine takes. */
const PATIENCE = 60_000

/** Waits for something that has no event of its own; throws when it does not come. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  patience = PATIENCE,
): Promise<void> {
  const end = Date.now() + patience
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('What the test waits for does not come')
    await new Promise(setImmediate)
  }
}
