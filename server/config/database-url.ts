import { accessSync, constants } from 'node:fs'
import * as z from 'zod'
import { isLoopback } from './networks.ts'

export type DatabaseTarget =
  | { kind: 'sqlite'; path: string }
  /** The URL may contain a password. */
  | { kind: 'postgres'; url: string }

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey']

const GENERAL = `is not sqlite:PATH, where PATH is a file, nor postgres://USER:PASSWORD@HOST/DATABASE (only one HOST, special characters of the password percent-encoded, sslmode one of ${SSL_MODES.join(', ')})`

/** pg connects to the last `host` parameter, if there is one, instead of the host of the URL. */
const getHost = (url: URL) => url.searchParams.getAll('host').at(-1) || url.hostname

function isPostgresUrl(url: URL | null): url is URL {
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hash) return false
  const sslMode = url.searchParams.get('sslmode')
  const isNamed = /^[^,]+$/.test(getHost(url)) && /^\/[^/]+$/.test(url.pathname)
  return isNamed && (sslMode === null || SSL_MODES.includes(sslMode))
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

function findPostgresFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!isPostgresUrl(url)) return GENERAL
  const { username, password, pathname, searchParams } = url
  if (!succeeds(() => [username, password, pathname].map(decodeURIComponent))) {
    return 'is not readable: write a % of the user, password or database as %25'
  }
  const unreadable = SSL_FILES.find((name) => {
    const file = searchParams.get(name)
    return file && !succeeds(() => accessSync(file, constants.R_OK))
  })
  return unreadable && `is not usable: the file that ${unreadable} names cannot be read`
}

function findFault(text: string): string | undefined {
  const [, path] = /^sqlite:(.*)$/s.exec(text) ?? []
  if (path === undefined) return findPostgresFault(text)
  if (/^\s*file:/i.test(path)) return 'is not sqlite:PATH: write the path without file:'
  return path.trim() === '' || path === ':memory:' ? GENERAL : undefined
}

/** Schema of DATABASE_URL. Its errors never quote the value, which may contain a password. */
export const databaseUrl = z.string().transform((text, context): DatabaseTarget => {
  const fault = findFault(text)
  if (fault) {
    context.addIssue(fault)
    return z.NEVER
  }
  return text.startsWith('sqlite:')
    ? { kind: 'sqlite', path: text.slice('sqlite:'.length) }
    : { kind: 'postgres', url: text }
})

/** The host of the database if it is another machine and the connection lacks TLS; otherwise undefined. */
export function findPlainHost(target: DatabaseTarget): string | undefined {
  if (target.kind === 'sqlite') return undefined
  const url = new URL(target.url)
  const host = getHost(url)
  const { searchParams } = url
  const mode = searchParams.get('sslmode')
  const isEncrypted = mode
    ? mode !== 'disable'
    : ['true', '1'].includes(searchParams.get('ssl') ?? '') ||
      SSL_FILES.some((name) => searchParams.has(name))
  return isEncrypted || host.startsWith('/') || isLoopback(host) ? undefined : host
}
