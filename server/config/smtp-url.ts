import { isLoopback } from './networks.ts'

export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte, by STARTTLS, or not at all. */
  tls: 'implicit' | 'starttls' | 'off'
  auth?: { user: string; pass: string }
}

const PORTS = { 'smtps:': 465, 'smtp:': 587 }

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('has a user or password with a % that is not written as %25')
  }
}

function readAuth({ username, password }: URL): SmtpServer['auth'] {
  if (!username && !password) return undefined
  if (!username || !password) throw new Error('has a user without a password, or the reverse')
  return { user: decode(username), pass: decode(password) }
}

/**
 * Reads smtps://USER:PASSWORD@HOST:PORT, or smtp:// for STARTTLS. Without TLS only to this machine,
 * or where `?tls=off` asks for it. Throws an Error that says the fault without repeating the text.
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text)
  const protocol = url?.protocol
  if (!url || (protocol !== 'smtps:' && protocol !== 'smtp:')) {
    throw new Error('is not smtps://USER:PASSWORD@HOST:PORT or smtp://… for STARTTLS')
  }
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1')
  if (!/^[\w.:-]+$/.test(host)) throw new Error('has no usable host')
  if (url.hash || !['', '/'].includes(url.pathname)) {
    throw new Error('goes on after the host: signs in a password are written with %, as %2F for /')
  }
  const unencrypted = url.search === '?tls=off'
  if (url.search && !(unencrypted && protocol === 'smtp:')) {
    throw new Error('has an option other than ?tls=off, which belongs to smtp://')
  }
  const plain = unencrypted || isLoopback(host) ? 'off' : 'starttls'
  const port = Number(url.port) || PORTS[protocol]
  return { host, port, tls: protocol === 'smtps:' ? 'implicit' : plain, auth: readAuth(url) }
}
