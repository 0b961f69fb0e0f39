import { ConfigError, loadConfig, VARIABLES } from '../../server/config.ts'

type Variables = Record<string, string | undefined>

const getFailure = (variables: Variables): string => {
  try {
    loadConfig(variables)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error(`accepted: ${JSON.stringify(variables)}`)
}

const DEFAULTS = {
  host: 'localhost',
  port: 3000,
  publicOrigins: [],
  https: false,
  database: { kind: 'sqlite', path: './data/inbox.sqlite' },
  trustProxy: 0,
  contactLimit: { count: 2, windowMinutes: 60 },
  retention: { retentionDays: 730, quarantineDays: 30 },
  backup: { folder: undefined, days: 14 },
  revision: 'unknown',
  logLevel: 'info',
}

test.each<[name: string, variables: Variables]>([
  ['no variable', {}],
  ['empty variables', Object.fromEntries(VARIABLES.map((name) => [name, '']))],
  ['unknown variables', { PATH: '/bin', HOME: undefined }],
])('with %s everything has its default', (_name, variables) => {
  expect(loadConfig(variables)).toEqual(DEFAULTS)
})

const POSTGRES_URL = 'postgresql://site:p%2Fa@[::1]:5433/inbox?sslmode=verify-full'

test.each([
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['PORT', '0', { port: 0 }],
  ['PUBLIC_URL', 'https://a.ca', { publicOrigins: ['https://a.ca'], https: true }],
  ['PUBLIC_URL', 'http://a.ca, https://b.ca:8443', { https: false }],
  ['DATABASE_URL', 'sqlite:/var/a b.sqlite', { database: { path: '/var/a b.sqlite' } }],
  ['DATABASE_URL', POSTGRES_URL, { database: { kind: 'postgres', url: POSTGRES_URL } }],
  ['TRUST_PROXY', '1', { trustProxy: 1 }],
  ['TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
  ['TRUST_PROXY', 'loopback', { trustProxy: ['loopback'] }],
  ['METRICS_PORT', '0', { metricsPort: 0 }],
  ['CONTACT_LIMIT', '5', { contactLimit: { count: 5, windowMinutes: 60 } }],
  ['CONTACT_WINDOW_MINUTES', '1440', { contactLimit: { count: 2, windowMinutes: 1440 } }],
  ['RETENTION_DAYS', '90', { retention: { retentionDays: 90, quarantineDays: 30 } }],
  ['QUARANTINE_DAYS', '7', { retention: { retentionDays: 730, quarantineDays: 7 } }],
  ['BACKUP_DIR', '/backups', { backup: { folder: '/backups', days: 14 } }],
  ['BACKUP_DAYS', '3', { backup: { days: 3 } }],
  ['REVISION', '5c0ffee', { revision: '5c0ffee' }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
])('%s=%s is accepted', (name, value, expected) => {
  expect(loadConfig({ [name]: value })).toMatchObject(expected)
})

/** Wrong values, separated by blanks. */
const WRONG = {
  PORT: '-1 80.5 0x50 http 65536',
  METRICS_PORT: 'on',
  PUBLIC_URL:
    'www.exemple.ca https://a.ca/ https://user@a.ca ftp://a.ca https://a.ca, https://exemple.québec',
  DATABASE_URL:
    'sqlite: sqlite::memory: mysql://localhost/site postgres:///inbox postgres://db/ postgres://a:b#c@db/inbox',
  TRUST_PROXY:
    'true 0.0.0.0/0 ::/0 10.0.0.0/8,203.0.113.7/0 0.0.0.0/1 128.0.0.0/1 6 -1 10.0.0.0/33 everyone',
  CONTACT_LIMIT: 'two 1e3 0',
  CONTACT_WINDOW_MINUTES: '0 1441',
  RETENTION_DAYS: '0',
  QUARANTINE_DAYS: '1.5',
  LOG_LEVEL: 'loud',
}

const wrong = Object.entries(WRONG).flatMap(([name, values]) =>
  values.split(' ').map((value) => [name, value] as const),
)

test.each(wrong)('%s=%j stops the start, and is named', (name, value) => {
  expect(getFailure({ [name]: value })).toMatch(new RegExp(`^  ${name} is n`, 'm'))
})

test('every fault is named at once', () => {
  const failure = getFailure({ MAIL_TO: 'no one', PORT: 'x', LOG_LEVEL: 'loud' })
  for (const name of ['PORT', 'LOG_LEVEL', 'MAIL_TO']) expect(failure).toContain(`\n  ${name} is n`)
  for (const name of ['SMTP_URL', 'MAIL_FROM']) expect(failure).toContain(`\n  ${name} is missing`)
})

test.each([
  ['DATABASE_URL', 'postgres://site:hush/hush@db.exemple.ca/inbox'],
  ['DATABASE_URL', 'mysql://site:hush@db.exemple.ca/inbox'],
  ['PUBLIC_URL', 'https://site:hush@www.exemple.ca'],
])('no part of a wrong %s that may hold a password is repeated: %s', (name, value) => {
  expect(getFailure({ [name]: value })).not.toMatch(/hush|exemple/)
})

describe('mail', () => {
  const MAIL = { MAIL_FROM: 'site@example.ca', MAIL_TO: 'info@example.ca' }
  const load = (url: string) => loadConfig({ ...MAIL, SMTP_URL: url }).mail?.server

  test.each([
    ['smtps://mail.example.ca', { host: 'mail.example.ca', port: 465, tls: 'implicit' }],
    ['smtp://mail.example.ca', { host: 'mail.example.ca', port: 587, tls: 'starttls' }],
    ['smtp://mail.example.ca:25/?tls=off', { host: 'mail.example.ca', port: 25, tls: 'off' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, tls: 'off' }],
    ['smtp://[::1]:25', { host: '::1', port: 25, tls: 'off' }],
    ['smtp://127.0.0.1.example.ca', { host: '127.0.0.1.example.ca', port: 587, tls: 'starttls' }],
  ])('%s', (url, server) => {
    expect(load(url)).toEqual(server)
  })

  test('a user and a password may hold encoded signs', () => {
    const auth = { user: 'me@example.ca', pass: 'p:%/é' }
    expect(load('smtps://me%40example.ca:p%3A%25%2F%C3%A9@mail.example.ca')?.auth).toEqual(auth)
  })

  test.each([
    'https://secret:secret@mail.example.ca',
    'mail.example.ca',
    'smtps://secret@mail.example.ca',
    'smtps://user:secret@mail.example.ca?tls=off',
    'smtp://user:secret@mail.example.ca?tls=no',
    'smtps://user:sec/ret@mail.example.ca',
  ])('%s is refused and not repeated', (SMTP_URL) => {
    const failure = getFailure({ ...MAIL, SMTP_URL })
    expect(failure).toMatch(/^The environment is not usable:\n {2}SMTP_URL \S.*$/)
    expect(failure).not.toContain('secret')
  })

  test.each(['a@example.ca, b@example.ca', 'Info <info@example.ca>'])(
    'MAIL_TO must be one address, not %j',
    (MAIL_TO) => {
      expect(getFailure({ ...MAIL, SMTP_URL: 'smtp://localhost', MAIL_TO })).toMatch(
        /MAIL_TO is not one address/,
      )
    },
  )
})
