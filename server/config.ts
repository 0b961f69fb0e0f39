import { isIP } from 'node:net'
import proxyAddr from 'proxy-addr'
import * as z from 'zod'
import {
  CONTACT_LIMIT,
  CONTACT_WINDOW_MINUTES,
  MAX_CONTACT_WINDOW_MINUTES,
} from '../shared/contact-limit.ts'
import { isEmail } from '../shared/contact-schema.ts'
import { QUARANTINE_DAYS, RETENTION_DAYS } from '../shared/retention.ts'

const isLoopbackAddress = proxyAddr.compile('loopback')

/** True for `localhost` and loopback addresses, in brackets or not. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.+)\]$/, '$1')
  return address === 'localhost' || (isIP(address) > 0 && isLoopbackAddress(address, 0))
}

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `is not from ${minimum} to ${maximum}`)

const port = integer(0, 65_535)
const days = integer(1, 36_500)

const splitList = (text: string) => text.split(',').map((item) => item.trim())

/** Accepts only characters of DNS names, IP addresses and ports: others, such as &, would need escaping in the sitemap. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isWeb && url?.origin === text && /^[\w.:[\]-]+$/.test(url.host)
}

const origins = z
  .string()
  .transform(splitList)
  .refine(
    (list) => list.every(isOrigin),
    'is not a comma-separated list of origins like https://www.example.ca, without a path or a slash at the end (write a domain with accents in its xn-- form)',
  )

export type DatabaseTarget =
  | { kind: 'sqlite'; path: string }
  /** The URL may contain a password. */
  | { kind: 'postgres'; url: string }

const database = z.string().transform((text, context): DatabaseTarget => {
  const [, path] = /^sqlite:(.*\S.*)$/s.exec(text) ?? []
  if (path && !/^\s*(?:file:|:memory:)/i.test(path)) return { kind: 'sqlite', path }
  const url = URL.parse(text)
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:'
  if (isPostgres && url?.hostname && /^\/[^/]+$/.test(url.pathname) && !url.hash) {
    return { kind: 'postgres', url: text }
  }
  context.addIssue(
    'is not sqlite:PATH, where PATH is a file, nor postgres://USER:PASSWORD@HOST/DATABASE (special characters of the password percent-encoded)',
  )
  return z.NEVER
})

/** Nobody runs a proxy at these addresses. A list that trusts one of them trusts any client. */
const NEVER_PROXIES = ['8.8.8.8', '192.0.2.1', '3fff::1']

/** A number of proxies, or their addresses, as Express reads `trust proxy`. */
const trustProxy = z.string().transform((text, context): number | string[] => {
  if (/^[0-5]$/.test(text)) return Number(text)
  const list = splitList(text)
  try {
    const isTrusted = proxyAddr.compile(list)
    // proxy-addr reads a bare number as an address: 6 as 0.0.0.6.
    const hasNumber = list.some((item) => /^\d+$/.test(item))
    if (!hasNumber && !NEVER_PROXIES.some((address) => isTrusted(address, 0))) return list
  } catch {
    // The issue below explains it.
  }
  context.addIssue(
    'is neither a number of proxies from 0 to 5 nor a comma-separated list of addresses like 10.0.0.0/8 (the word “true”, a larger number or a wider range could trust any client)',
  )
  return z.NEVER
})

export interface SmtpServer {
  host: string
  port: number
  /** `implicit`: TLS from the first byte. */
  tls: 'implicit' | 'starttls' | 'off'
  auth?: { user: string; pass: string }
}

/** Returns the server, or a sentence about the fault. */
function readSmtpUrl(text: string): SmtpServer | string {
  const url = URL.parse(text)
  if (!url || !['smtps:', 'smtp:'].includes(url.protocol) || !url.hostname) {
    return 'is not smtps://USER:PASSWORD@HOST:PORT or smtp://… for STARTTLS'
  }
  if (url.hash || !['', '/'].includes(url.pathname)) {
    return 'has text after the host: percent-encode the password, such as / as %2F'
  }
  const isImplicit = url.protocol === 'smtps:'
  const isPlain = url.search === '?tls=off'
  if (url.search && (!isPlain || isImplicit)) {
    return 'has an option that is not ?tls=off, or has ?tls=off with smtps://'
  }
  if (Boolean(url.username) !== Boolean(url.password)) {
    return 'has a user without a password, or a password without a user'
  }
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1')
  const upgrade = isPlain || isLoopback(host) ? 'off' : 'starttls'
  try {
    const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    return {
      host,
      port: Number(url.port) || (isImplicit ? 465 : 587),
      tls: isImplicit ? 'implicit' : upgrade,
      ...(url.username && { auth }),
    }
  } catch {
    return 'has a user or password with a % that is not written as %25'
  }
}

const smtpUrl = z.string().transform((text, context): SmtpServer => {
  const server = readSmtpUrl(text)
  if (typeof server !== 'string') return server
  context.addIssue(server)
  return z.NEVER
})

const mailbox = z
  .string()
  .refine(
    (text) => /^[\x21-\x7e]+$/.test(text) && isEmail(text),
    'is not one address like site@example.ca (write a domain with accents in its xn-- form)',
  )

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The site's environment variables. The name of a duration contains its unit. */
const environment = z.object({
  HOST: z.string().default('localhost'),
  PORT: port.default(3000),
  PUBLIC_URL: origins.default([]),
  DATABASE_URL: database.default({ kind: 'sqlite', path: './data/inbox.sqlite' }),
  TRUST_PROXY: trustProxy.default(0),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailbox.optional(),
  MAIL_TO: mailbox.optional(),
  CONTACT_LIMIT: integer(1, 1_000_000).default(CONTACT_LIMIT),
  CONTACT_WINDOW_MINUTES: integer(1, MAX_CONTACT_WINDOW_MINUTES).default(CONTACT_WINDOW_MINUTES),
  RETENTION_DAYS: days.default(RETENTION_DAYS),
  QUARANTINE_DAYS: days.default(QUARANTINE_DAYS),
  BACKUP_DIR: z.string().optional(),
  BACKUP_DAYS: days.default(14),
  METRICS_PORT: port.optional(),
  REVISION: z.string().default('unknown'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `is not one of ${LOG_LEVELS.join(', ')}`).default('info'),
})

export const VARIABLES = Object.keys(environment.shape)

/** Set all of them or none. */
const MAIL_VARIABLES = ['SMTP_URL', 'MAIL_FROM', 'MAIL_TO']

export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Config = Readonly<ReturnType<typeof loadConfig>>
type Variables = Record<string, string | undefined>

const isSecret = (name: string, value = '') =>
  ['DATABASE_URL', 'SMTP_URL'].includes(name) || value.includes('@')

function findMissing(variables: Variables): string[] {
  const missing = MAIL_VARIABLES.filter((name) => !variables[name])
  if (missing.length === MAIL_VARIABLES.length) return []
  return missing.map((name) => `${name} is missing: ${MAIL_VARIABLES.join(', ')} go together`)
}

/** Reads the environment; an empty variable counts as unset. Throws a ConfigError that names every wrong variable. */
export function loadConfig(variables: Variables) {
  const set = Object.entries(variables).filter(([, value]) => value)
  const { data, error } = environment.safeParse(Object.fromEntries(set))
  const problems = [
    ...(error?.issues ?? []).map(({ path, message }) => {
      const name = String(path[0])
      const value = variables[name]
      return `${name} ${message}${isSecret(name, value) ? '' : ` (it is "${value}")`}`
    }),
    ...findMissing(variables),
  ]
  if (!data || problems.length > 0) {
    throw new ConfigError(['The environment is not usable:', ...problems].join('\n  '))
  }
  const [site = ''] = data.PUBLIC_URL
  const { SMTP_URL: server, MAIL_FROM: from, MAIL_TO: to } = data
  return {
    host: data.HOST,
    port: data.PORT,
    /** The canonical origin is first. If the list is empty, links name localhost. */
    publicOrigins: data.PUBLIC_URL,
    https: site.startsWith('https:'),
    database: data.DATABASE_URL,
    /** The value of Express's `trust proxy`. */
    trustProxy: data.TRUST_PROXY,
    /** If undefined, messages wait in the inbox. */
    mail: server && from && to ? { server, from, to } : undefined,
    contactLimit: { count: data.CONTACT_LIMIT, windowMinutes: data.CONTACT_WINDOW_MINUTES },
    retention: { retentionDays: data.RETENTION_DAYS, quarantineDays: data.QUARANTINE_DAYS },
    /** Without a folder, no backup is made. */
    backup: { folder: data.BACKUP_DIR, days: data.BACKUP_DAYS },
    /** If undefined, no metrics are collected. */
    metricsPort: data.METRICS_PORT,
    /** Commit of the running sources. */
    revision: data.REVISION,
    logLevel: data.LOG_LEVEL,
  }
}
