import { isIP } from 'node:net'
import * as z from 'zod'
import {
  CONTACT_LIMIT,
  CONTACT_WINDOW_MINUTES,
  MAX_CONTACT_WINDOW_MINUTES,
  QUARANTINE_DAYS,
  RETENTION_DAYS,
} from '../../shared/constants.ts'
import { databaseUrl } from './database-url.ts'
import { MAIL_VARIABLES, mailbox, smtpUrl } from './mail-settings.ts'

const MAIL_PER_HOUR = 120
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

function isAddressBlock(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/')
  const version = isIP(address)
  if (!version || rest.length > 0) return false
  if (prefix === undefined) return true
  const bits = /^[1-9]\d*$/.test(prefix) ? Number(prefix) : 0
  return bits >= smallestPrefix(address) && bits <= (version === 4 ? 32 : 128)
}

/** Wide enough for a private network: 10.0.0.0/8, fc00::/7. IPv4 addresses are matched as ::ffff:0:0/96. */
function smallestPrefix(address: string): number {
  if (isIP(address) === 4) return 8
  return URL.parse(`http://[${address}]`)?.hostname.startsWith('[::') ? 96 + 8 : 7
}

const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `is not from ${minimum} to ${maximum}`)

const list = (text: string) => text.split(',').map((item) => item.trim())

/** No other character is part of a name in the DNS; some of them would need escaping in XML. */
const ORIGIN_HOST = /^[\w.:[\]-]+$/

const origins = z
  .string()
  .transform(list)
  .pipe(
    z.array(
      z.string().refine((text) => {
        const url = URL.parse(text)
        return (
          url !== null &&
          /^https?:$/.test(url.protocol) &&
          url.origin === text &&
          ORIGIN_HOST.test(url.host)
        )
      }, 'is not a comma-separated list of origins like https://www.example.ca, without a path or a slash at the end'),
    ),
  )

const PROXY_COUNT = /^[0-5]$/

const trustProxy = z
  .string()
  .refine(
    (text) => PROXY_COUNT.test(text) || list(text).every(isAddressBlock),
    'is neither a number of proxies, 5 at most, nor a list of addresses like 10.0.0.0/8 (true, a range wider than /8 or more proxies would trust anyone)',
  )
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : list(text)))

const MOST_PROCESSES = 256
const processes = z
  .string()
  .refine(
    (text) => text === 'auto' || (/^\d{1,3}$/.test(text) && inRange(Number(text))),
    `is neither auto nor a whole number from 1 to ${MOST_PROCESSES}`,
  )
  .transform((text) => (text === 'auto' ? text : Number(text)))

const inRange = (count: number) => count >= 1 && count <= MOST_PROCESSES

const environment = z.object({
  HOST: z.string().default('localhost'),
  PORT: whole(0, 65_535).default(3000),
  PUBLIC_URL: origins.optional(),
  DATABASE_URL: databaseUrl.default({ kind: 'sqlite', path: './data/inbox.sqlite' }),
  TRUST_PROXY: trustProxy.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailbox.optional(),
  MAIL_TO: mailbox.optional(),
  MAIL_PER_HOUR: whole(1, 1_000_000).default(MAIL_PER_HOUR),
  CONTACT_LIMIT: whole(1, 1_000_000).default(CONTACT_LIMIT),
  CONTACT_WINDOW_MINUTES: whole(1, MAX_CONTACT_WINDOW_MINUTES).default(CONTACT_WINDOW_MINUTES),
  RETENTION_DAYS: whole(1, 36_500).default(RETENTION_DAYS),
  QUARANTINE_DAYS: whole(1, 36_500).default(QUARANTINE_DAYS),
  METRICS_PORT: whole(0, 65_535).optional(),
  WEB_CONCURRENCY: processes.default(1),
  LOG_LEVEL: z.enum(LOG_LEVELS, `is not one of ${LOG_LEVELS.join(', ')}`).default('info'),
})

/** The names of all the variables that are read. */
export const VARIABLES = Object.keys(environment.shape)

/** What may hold a password, and so is never repeated. */
const mayHoldPassword = (name: string, value = '') =>
  name === 'DATABASE_URL' || name === 'SMTP_URL' || (name === 'PUBLIC_URL' && value.includes('@'))

export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Config = ReturnType<typeof loadConfig>

function findMissing(names: readonly string[], variables: Record<string, unknown>): string[] {
  const missing = names.filter((name) => !variables[name])
  if (missing.length === names.length) return []
  return missing.map((name) => `  ${name} is missing: ${names.join(', ')} go together`)
}

/** Reads the environment; an empty variable counts as unset. Throws a ConfigError that names every fault. */
export function loadConfig(variables: Record<string, string | undefined>) {
  const set = Object.entries(variables).filter(([, value]) => value)
  const { data, error } = environment.safeParse(Object.fromEntries(set))
  const faults = (error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0])
    return `  ${name} ${message}${mayHoldPassword(name, variables[name]) ? '' : ` (it is "${variables[name]}")`}`
  })
  faults.push(...findMissing(MAIL_VARIABLES, variables))
  if (data?.METRICS_PORT && data.METRICS_PORT === data.PORT) {
    faults.push('  METRICS_PORT and PORT are the same: each needs a port of its own')
  }
  if (!data || faults.length > 0) {
    throw new ConfigError(`The environment is not usable:\n${[...new Set(faults)].join('\n')}`)
  }
  const { SMTP_URL: server, MAIL_FROM: from, MAIL_TO: to } = data
  return Object.freeze({
    host: data.HOST,
    port: data.PORT,
    /** The site's origins, the canonical one first; none: any Host is served. */
    publicOrigins: data.PUBLIC_URL ?? [],
    https: data.PUBLIC_URL?.[0]?.startsWith('https:') ?? false,
    database: data.DATABASE_URL,
    /** What express takes as `trust proxy`. */
    trustProxy: data.TRUST_PROXY ?? false,
    /** None: messages wait in the inbox. */
    mail: server && from && to ? { server, from, to } : undefined,
    /** How many mails of messages may go within an hour. */
    mailPerHour: data.MAIL_PER_HOUR,
    contactLimit: { count: data.CONTACT_LIMIT, windowMinutes: data.CONTACT_WINDOW_MINUTES },
    /** After how many days messages are erased. */
    retention: { retentionDays: data.RETENTION_DAYS, quarantineDays: data.QUARANTINE_DAYS },
    /** None: nothing is counted. */
    metricsPort: data.METRICS_PORT,
    /** How many processes serve; `auto`: one a core. */
    processes: data.WEB_CONCURRENCY,
    logLevel: data.LOG_LEVEL,
  })
}
