import * as z from 'zod'
import { isLoopback } from './networks.ts'

export interface SmtpServer {
  host: string
  port: number
  /** `implicit`: TLS from the first byte. */
  tls: 'implicit' | 'starttls' | 'off'
  auth?: { user: string; pass: string }
}

const PORTS = { 'smtps:': 465, 'smtp:': 587 }

/** Returns the credentials (undefined if there are none), or a text about the problem. */
function readAuth({ username, password }: URL): SmtpServer['auth'] | string {
  if (!username && !password) return undefined
  if (!username || !password) return 'has a user without a password, or a password without a user'
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  } catch {
    return 'has a user or password with a % that is not written as %25'
  }
}

/** TLS is required, except on this machine or with `?tls=off`. Errors never quote the value: it may hold a password. */
export const smtpUrl = z.string().transform((text, context): SmtpServer => {
  const refuse = (fault: string) => {
    context.addIssue(fault)
    return z.NEVER
  }
  const url = URL.parse(text)
  const protocol = url?.protocol
  if (!url || (protocol !== 'smtps:' && protocol !== 'smtp:')) {
    return refuse('is not smtps://USER:PASSWORD@HOST:PORT or smtp://… for STARTTLS')
  }
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1')
  if (!/^[\w.:-]+$/.test(host)) return refuse('has no usable host')
  if (url.hash || !['', '/'].includes(url.pathname)) {
    return refuse('has text after the host: percent-encode the password, such as / as %2F')
  }
  const isPlain = url.search === '?tls=off'
  if (url.search && !(isPlain && protocol === 'smtp:')) {
    return refuse('has an option that is not ?tls=off, or has ?tls=off with smtps://')
  }
  const auth = readAuth(url)
  if (typeof auth === 'string') return refuse(auth)
  const upgrade = isPlain || isLoopback(host) ? 'off' : 'starttls'
  const port = Number(url.port) || PORTS[protocol]
  return { host, port, tls: protocol === 'smtps:' ? 'implicit' : upgrade, auth }
})
