import * as z from 'zod'

export type DatabasePlace =
  | { kind: 'sqlite'; path: string }
  /** The URL holds the password. */
  | { kind: 'postgres'; url: string }

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hash) return false
  const sslMode = url.searchParams.get('sslmode')
  const host = url.hostname || url.searchParams.get('host')
  const named = host && /^\/[^/]+$/.test(url.pathname)
  return Boolean(named) && (sslMode === null || SSL_MODES.includes(sslMode))
}

const isSqliteUrl = (text: string) => /^sqlite:(?!:memory:).+/.test(text)

/** DATABASE_URL; what it says of a wrong one never repeats any of it. */
export const databaseUrl = z
  .string()
  .refine(
    (text) => isSqliteUrl(text) || isPostgresUrl(text),
    `is not sqlite:PATH, where PATH is a file, nor postgres://USER:PASSWORD@HOST/DATABASE (other characters of the password in percent code, sslmode one of ${SSL_MODES.join(', ')})`,
  )
  .transform(
    (text): DatabasePlace =>
      isSqliteUrl(text)
        ? { kind: 'sqlite', path: text.slice('sqlite:'.length) }
        : { kind: 'postgres', url: text },
  )
