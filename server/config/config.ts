import { isIP } from 'node:net'
import * as z from 'zod'
import {
  CONTACT_LIMIT,
  CONTACT_WINDOW_MINUTES,
  MAX_CONTACT_WINDOW_MINUTES,
} from '../../shared/contact-limit.ts'
import { isEmail } from '../../shared/contact-schema.ts'
import { QUARANTINE_DAYS, RETENTION_DAYS } from '../../shared/retention.ts'
import { databaseUrl } from './database-url.ts'
import { isAddressBlock } from './networks.ts'
import { smtpUrl } from './smtp-url.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `is not from ${minimum} to ${maximum}`)

const port = integer(0, 65_535)
const days = integer(1, 36_500)

const splitList = (text: string) => text.split(',').map((item) => item.trim())

/** Only characters of DNS names, IP addresses and ports: others, such as &, would need escaping in the sitemap. */
const ORIGIN_HOST = /^[\w.:[\]-]+$/

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false
  return url.origin === text && ORIGIN_HOST.test(url.host)
}

const origins = z
  .string()
  .transform(splitList)
  .refine((list) => list.every(isOrigin), {
    error: ({ input }) =>
      `is not a comma-separated list of origins like https://www.example.ca, without a path or a slash at the end${suggestAscii(input as string[])}`,
  })

/** Suggests the ASCII form of the first origin with an accent; empty if there is none. */
function suggestAscii(list: string[]): string {
  const accented = list.find((text) => !isOrigin(text) && /^https?:\/\/[^/@]*[^\0-\x7f]/.test(text))
  const url = accented && URL.parse(accented)
  return url ? `; write ${url.origin}` : ''
}

/** The host of an origin, unless it is an IP address or a name of one word, such as localhost. */
function findDnsName(origin: string): string | undefined {
  const host = URL.parse(origin)?.hostname
  return host?.includes('.') && !isIP(host) ? host : undefined
}

const PROXY_COUNT = /^[0-5]$/

const trustProxy = z
  .string()
  .refine(
    (text) => PROXY_COUNT.test(text) || splitList(text).every(isAddressBlock),
    'is neither a number of proxies from 0 to 5 nor a comma-separated list of addresses like 10.0.0.0/8 (the word “true”, a larger number or a wider range could trust any client)',
  )
  .transform((text) => (PROXY_COUNT.test(text) ? Number(text) : splitList(text)))

const mailbox = z
  .string()
  .refine(
    (text) => /^[\x21-\x7e]+$/.test(text) && isEmail(text),
    'is not one address like site@example.ca (write a domain with accents in its xn-- form)',
  )

/** The site's environment variables. The name of a duration contains its unit. */
const environment = z.object({
  HOST: z.string().default('localhost'),
  PORT: port.default(3000),
  PUBLIC_URL: origins.default([]),
  DATABASE_URL: databaseUrl.default({ kind: 'sqlite', path: './data/inbox.sqlite' }),
  TRUST_PROXY: trustProxy.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailbox.optional(),
  MAIL_TO: mailbox.optional(),
  MAIL_PER_HOUR: integer(1, 1_000_000).default(120),
  CONTACT_LIMIT: integer(1, 1_000_000).default(CONTACT_LIMIT),
  CONTACT_WINDOW_MINUTES: integer(1, MAX_CONTACT_WINDOW_MINUTES).default(CONTACT_WINDOW_MINUTES),
  RETENTION_DAYS: days.default(RETENTION_DAYS),
  QUARANTINE_DAYS: days.default(QUARANTINE_DAYS),
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
  ['DATABASE_URL', 'SMTP_URL'].includes(name) || (name === 'PUBLIC_URL' && value.includes('@'))

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
  const { SMTP_URL: server, MAIL_FROM: from, MAIL_TO: to, MAIL_PER_HOUR: perHour } = data
  return {
    host: data.HOST,
    port: data.PORT,
    /** The canonical origin is first. If the list is empty, any Host is served. */
    publicOrigins: data.PUBLIC_URL,
    https: site.startsWith('https:'),
    database: data.DATABASE_URL,
    /** The value of Express's `trust proxy`. */
    trustProxy: data.TRUST_PROXY ?? false,
    /** If undefined, messages wait in the inbox. */
    mail:
      server && from && to
        ? { server, from, to, perHour, clientName: findDnsName(site) ?? from.replace(/^.*@/, '') }
        : undefined,
    contactLimit: { count: data.CONTACT_LIMIT, windowMinutes: data.CONTACT_WINDOW_MINUTES },
    retention: { retentionDays: data.RETENTION_DAYS, quarantineDays: data.QUARANTINE_DAYS },
    /** If undefined, no metrics are collected. */
    metricsPort: data.METRICS_PORT,
    /** Commit of the running sources. */
    revision: data.REVISION,
    logLevel: data.LOG_LEVEL,
  }
}
