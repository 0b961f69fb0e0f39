import { ConfigError, loadConfig } from '../../../server/config/config.ts'
import { isPrivate } from '../../../server/config/networks.ts'

const getFailure = (variables: Record<string, string>): string => {
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
  trustProxy: false,
  contactLimit: { count: 2, windowMinutes: 60 },
  retention: { retentionDays: 730, quarantineDays: 30 },
  revision: 'unknown',
  logLevel: 'info',
}

const EMPTY = `HOST PORT PUBLIC_URL DATABASE_URL TRUST_PROXY LOG_LEVEL MAIL_PER_HOUR CONTACT_LIMIT
  CONTACT_WINDOW_MINUTES RETENTION_DAYS QUARANTINE_DAYS`.split(/\s+/)

test.each<[name: string, variables: Record<string, string | undefined>]>([
  ['no variable', {}],
  ['empty variables', Object.fromEntries(EMPTY.map((name) => [name, '']))],
  ['unknown variables', { PATH: '/bin', HOME: undefined }],
])('with %s everything has its default', (_name, variables) => {
  expect(loadConfig(variables)).toEqual(DEFAULTS)
})

const POSTGRES_URL = 'postgresql://site:p%2Fa@[::1]:5433/inbox?sslmode=verify-full'

test.each([
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['PORT', '0', { port: 0 }],
  ['PUBLIC_URL', 'https://a.ca', { publicOrigins: ['https://a.ca'], https: true }],
  ['PUBLIC_URL', 'http://a.ca,https://b.ca', { https: false }],
  [
    'PUBLIC_URL',
    'https://a.ca, https://b.ca:8443',
    { publicOrigins: ['https://a.ca', 'https://b.ca:8443'] },
  ],
  ['DATABASE_URL', 'sqlite:/var/a b.sqlite', { database: { path: '/var/a b.sqlite' } }],
  ['DATABASE_URL', POSTGRES_URL, { database: { kind: 'postgres', url: POSTGRES_URL } }],
  ['TRUST_PROXY', '0', { trustProxy: 0 }],
  ['TRUST_PROXY', '5', { trustProxy: 5 }],
  ['TRUST_PROXY', '10.0.0.0/8, 127.0.0.1', { trustProxy: ['10.0.0.0/8', '127.0.0.1'] }],
  ['TRUST_PROXY', '2001:db8::/32', { trustProxy: ['2001:db8::/32'] }],
  ['TRUST_PROXY', 'fc00::/7, ::1', { trustProxy: ['fc00::/7', '::1'] }],
  ['TRUST_PROXY', '::ffff:10.0.0.0/104', { trustProxy: ['::ffff:10.0.0.0/104'] }],
  ['METRICS_PORT', '0', { metricsPort: 0 }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
])('%s=%s is accepted', (name, value, expected) => {
  expect(loadConfig({ [name]: value })).toMatchObject(expected)
})

const WRONG: Record<string, string[]> = {
  METRICS_PORT: ['on'],
  PORT: ['-1', '80.5', '0x50', ' ', 'http'],
  PUBLIC_URL: [
    'www.exemple.ca',
    'https://www.exemple.ca/',
    'https://user@exemple.ca',
    'ftp://exemple.ca',
    'https://a.ca,',
    'https://a&b.ca',
  ],
  DATABASE_URL: [
    'sqlite:',
    'sqlite::memory:',
    'sqlite: ',
    'postgres:///inbox?host=h1,h2',
    'postgres://site:pass@db/inbox?sslrootcert=/no/such/file',
    'mysql://localhost/site',
    'postgres://db/',
    'postgres://db/a/b',
    'postgres:///inbox',
    'postgres://db/inbox?sslmode=maybe',
    'postgres://db:99999/inbox',
    'postgres://a:b#c@db/inbox',
  ],
  QUARANTINE_DAYS: ['1.5'],
  TRUST_PROXY:
    `true 0.0.0.0/0 ::/0 10.0.0.0/8,203.0.113.7/0 10.0.0.0/00 10.0.0.0/08 0.0.0.0/1,128.0.0.0/1
    ::ffff:0.0.0.0/96 0:0::/8 6 99 loopback 10.0.0.0/33 10.0.0.0/ 10.0.0/8 ::1/129 10.0.0.0/8,
    10.0.0.0/8/8 -1 ::10.0.0.0/104 64:ff9b::10.0.0.1 fe80::1%eth-0`.split(/\s+/),
  CONTACT_LIMIT: ['two', '1e3'],
  LOG_LEVEL: ['loud'],
}

test.each(
  Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
)('%s=%j stops the start, and is named', (name, value) => {
  expect(getFailure({ [name]: value })).toMatch(new RegExp(`^  ${name} is n`, 'm'))
})

test.each([
  ['DATABASE_URL', 'postgres://site:hush/hush@db.exemple.ca/inbox'],
  ['DATABASE_URL', 'postgres://site:hush%@db.exemple.ca/inbox'],
  ['DATABASE_URL', 'postgres://site:hush@db.exemple.ca/inbox?sslrootcert=/hush'],
  ['PUBLIC_URL', 'https://site:hush@www.exemple.ca'],
])('no part of a wrong %s that may hold a password is repeated: %s', (name, value) => {
  expect(getFailure({ [name]: value })).not.toMatch(/hush|exemple/)
})

test.each([
  ['sqlite:file:inbox.sqlite', 'without file:'],
  ['sqlite: file:inbox.sqlite', 'without file:'],
  ['sqlite:FILE:/inbox.sqlite', 'without file:'],
  ['postgres://h1,h2/inbox', 'one HOST'],
  ['postgres://site:100%@db/inbox', 'as %25'],
  ['postgres://db/inbox?sslcert=/no/such/file', 'sslcert names cannot be read'],
])('the fault of DATABASE_URL=%s is named', (url, words) => {
  expect(getFailure({ DATABASE_URL: url })).toContain(words)
})

describe('mail', () => {
  const MAIL = { MAIL_FROM: 'site@example.ca', MAIL_TO: 'info@example.ca' }
  const load = (url: string) => loadConfig({ ...MAIL, SMTP_URL: url }).mail?.server

  test.each([
    ['smtps://mail.example.ca', { host: 'mail.example.ca', port: 465, tls: 'implicit' }],
    ['smtp://mail.example.ca', { host: 'mail.example.ca', port: 587, tls: 'starttls' }],
    ['smtp://mail.example.ca:25/?tls=off', { host: 'mail.example.ca', port: 25, tls: 'off' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, tls: 'off' }],
    ['smtp://127.0.0.2', { host: '127.0.0.2', port: 587, tls: 'off' }],
    ['smtp://[::1]:25', { host: '::1', port: 25, tls: 'off' }],
    ['smtp://127.0.0.1.example.ca', { host: '127.0.0.1.example.ca', port: 587, tls: 'starttls' }],
    ['smtps://localhost', { host: 'localhost', port: 465, tls: 'implicit' }],
  ])('%s', (url, server) => {
    expect(load(url)).toEqual(server)
  })

  test.each([undefined, '1'])('MAIL_PER_HOUR=%s is part of the mail settings', (MAIL_PER_HOUR) => {
    const variables = { ...MAIL, SMTP_URL: 'smtps://localhost', MAIL_PER_HOUR }
    expect(loadConfig(variables).mail?.perHour).toBe(Number(MAIL_PER_HOUR ?? 120))
  })

  test('a user and a password may hold encoded signs', () => {
    const auth = { user: 'me@example.ca', pass: 'p:%/é' }
    expect(load('smtps://me%40example.ca:p%3A%25%2F%C3%A9@mail.example.ca')?.auth).toEqual(auth)
  })

  test.each([
    'https://secret:secret@mail.example.ca',
    'mail.example.ca',
    'smtps://',
    'smtps://secret@mail.example.ca',
    'smtps://:secret@mail.example.ca',
    'smtps://user:secret%@mail.example.ca',
    'smtps://user:secret@mail.example.ca?tls=off',
    'smtp://user:secret@mail.example.ca?tls=no',
    'smtps://user:sec/ret@mail.example.ca',
    'smtps://user:secret@exämple.ca',
  ])('%s is refused and not repeated', (url) => {
    const parse = () => load(url)
    expect(parse).toThrow(/^The environment is not usable:\n {2}SMTP_URL \S.*$/)
    expect(parse).not.toThrow(/secret/)
  })

  test.each([
    'a@example.ca, b@example.ca',
    'Info <info@example.ca>',
    'info',
    'info@localhost',
    'info@exämple.ca',
    'info@example.ca\nBcc: b@example.ca',
  ])('MAIL_TO must be one address, not %j', (address) => {
    expect(() => loadConfig({ ...MAIL, SMTP_URL: 'smtp://localhost', MAIL_TO: address })).toThrow(
      /MAIL_TO is not one address/,
    )
  })

  test('all three or none; every fault is named', () => {
    expect(loadConfig({ SMTP_URL: '', MAIL_TO: '' }).mail).toBeUndefined()
    expect(() => loadConfig({ MAIL_TO: 'no one', PORT: 'x' })).toThrow(
      /PORT .*\n.*MAIL_TO is not.*\n {2}SMTP_URL is missing.*\n {2}MAIL_FROM is missing/,
    )
  })
})

const split = (text: string) => text.split(' ')

test.each([
  ...split('10.255.0.1 172.16.0.1 172.31.255.255 192.168.1.1 127.0.0.1 169.254.1.1'),
  ...split('::1 fd12:3456::1 fe80::1 ::ffff:172.18.0.1'),
])('%s is private', (address) => expect(isPrivate(address)).toBe(true))

test.each(['', ...split('unknown 172.32.0.1 192.169.0.1 203.0.113.7 2001:db8::1 fec0::1')])(
  '%s is not private',
  (address) => expect(isPrivate(address)).toBe(false),
)

test('the fault of a PUBLIC_URL with an accent names its xn-- form', () => {
  const failure = getFailure({ PUBLIC_URL: 'https://www.exemple.ca,https://exemple.québec' })
  expect(failure).toContain('write https://exemple.xn--qubec-csa')
})

test.each([
  ['https://www.exemple.ca:8443', 'www.exemple.ca'],
  ['https://192.0.2.7', 'example.ca'],
  ['https://[2001:db8::7]', 'example.ca'],
  ['http://localhost:3000', 'example.ca'],
  ['', 'example.ca'],
])('with PUBLIC_URL=%s the site greets the mail server as %s', (PUBLIC_URL, clientName) => {
  const mail = { SMTP_URL: 'smtps://exemple.ca', MAIL_FROM: 'site@example.ca', MAIL_TO: 'a@b.ca' }
  expect(loadConfig({ PUBLIC_URL, ...mail }).mail).toMatchObject({ clientName })
})
