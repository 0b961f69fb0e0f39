import { ConfigError, loadConfig } from '../../../server/config/config.ts'

const failureOf = (variables: Record<string, string>): string => {
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
  mailPerHour: 120,
  contactLimit: { count: 2, windowMinutes: 60 },
  retention: { retentionDays: 730, quarantineDays: 30 },
  processes: 1,
  logLevel: 'info',
}

test('without any variable everything has its default', () => {
  expect(loadConfig({})).toEqual(DEFAULTS)
})

test('an empty variable counts as unset', () => {
  const names = ['HOST', 'PORT', 'PUBLIC_URL', 'DATABASE_URL', 'TRUST_PROXY', 'LOG_LEVEL']
  const limits = [
    'MAIL_PER_HOUR',
    'CONTACT_LIMIT',
    'CONTACT_WINDOW_MINUTES',
    'RETENTION_DAYS',
    'QUARANTINE_DAYS',
  ]
  const empty = Object.fromEntries([...names, ...limits].map((name) => [name, '']))
  expect(loadConfig(empty)).toEqual(DEFAULTS)
})

test('variables that are none of ours are ignored', () => {
  expect(loadConfig({ PATH: '/bin', HOME: undefined })).toEqual(DEFAULTS)
})

test('the configuration cannot be changed', () => {
  expect(Object.isFrozen(loadConfig({}))).toBe(true)
})

test.each([
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65_535 }],
  ['PUBLIC_URL', 'https://www.exemple.ca', { publicOrigins: ['https://www.exemple.ca'] }],
  ['PUBLIC_URL', 'https://www.exemple.ca', { https: true }],
  ['PUBLIC_URL', 'http://localhost:8080', { https: false }],
  ['PUBLIC_URL', 'http://a.ca,https://b.ca', { https: false }],
  [
    'PUBLIC_URL',
    'https://a.ca, https://b.ca:8443',
    { publicOrigins: ['https://a.ca', 'https://b.ca:8443'] },
  ],
  [
    'DATABASE_URL',
    'sqlite:/var/lib/site/a b.sqlite',
    { database: { path: '/var/lib/site/a b.sqlite' } },
  ],
  [
    'DATABASE_URL',
    'postgres://site:pass@db.exemple.ca/inbox',
    { database: { kind: 'postgres', url: 'postgres://site:pass@db.exemple.ca/inbox' } },
  ],
  [
    'DATABASE_URL',
    'postgresql://db:5433/inbox?sslmode=verify-full',
    { database: { kind: 'postgres', url: 'postgresql://db:5433/inbox?sslmode=verify-full' } },
  ],
  [
    'DATABASE_URL',
    'postgres://site:p%2Fa@[::1]/inbox',
    { database: { kind: 'postgres', url: 'postgres://site:p%2Fa@[::1]/inbox' } },
  ],
  [
    'DATABASE_URL',
    'postgres:///inbox?host=/run/postgresql',
    { database: { kind: 'postgres', url: 'postgres:///inbox?host=/run/postgresql' } },
  ],
  ['RETENTION_DAYS', '1', { retention: { retentionDays: 1, quarantineDays: 30 } }],
  ['QUARANTINE_DAYS', '7', { retention: { retentionDays: 730, quarantineDays: 7 } }],
  ['TRUST_PROXY', '0', { trustProxy: 0 }],
  ['TRUST_PROXY', '5', { trustProxy: 5 }],
  ['TRUST_PROXY', '10.0.0.0/8, 127.0.0.1', { trustProxy: ['10.0.0.0/8', '127.0.0.1'] }],
  ['TRUST_PROXY', '2001:db8::/32', { trustProxy: ['2001:db8::/32'] }],
  ['TRUST_PROXY', 'fc00::/7, ::1', { trustProxy: ['fc00::/7', '::1'] }],
  ['TRUST_PROXY', '::ffff:10.0.0.0/104', { trustProxy: ['::ffff:10.0.0.0/104'] }],
  ['MAIL_PER_HOUR', '1', { mailPerHour: 1 }],
  ['CONTACT_LIMIT', '5', { contactLimit: { count: 5, windowMinutes: 60 } }],
  ['CONTACT_WINDOW_MINUTES', '15', { contactLimit: { count: 2, windowMinutes: 15 } }],
  ['METRICS_PORT', '0', { metricsPort: 0 }],
  ['METRICS_PORT', '9090', { metricsPort: 9090 }],
  ['WEB_CONCURRENCY', '4', { processes: 4 }],
  ['WEB_CONCURRENCY', 'auto', { processes: 'auto' }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
])('%s=%s is understood', (name, value, expected) => {
  expect(loadConfig({ [name]: value })).toMatchObject(expected)
})

test('the metrics need a port of their own', () => {
  expect(failureOf({ METRICS_PORT: '3000' })).toContain('METRICS_PORT and PORT are the same')
  expect(loadConfig({ METRICS_PORT: '0', PORT: '0' }).metricsPort).toBe(0)
})

test.each([
  ['MAIL_PER_HOUR', '0'],
  ['METRICS_PORT', '65536'],
  ['METRICS_PORT', 'on'],
  ['WEB_CONCURRENCY', '0'],
  ['WEB_CONCURRENCY', '257'],
  ['WEB_CONCURRENCY', '-1'],
  ['WEB_CONCURRENCY', 'all'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['PORT', '0x50'],
  ['PORT', ' '],
  ['PORT', 'http'],
  ['PUBLIC_URL', 'www.exemple.ca'],
  ['PUBLIC_URL', 'https://www.exemple.ca/'],
  ['PUBLIC_URL', 'https://www.exemple.ca/site'],
  ['PUBLIC_URL', 'https://www.exemple.ca?a'],
  ['PUBLIC_URL', 'https://user@exemple.ca'],
  ['PUBLIC_URL', 'https://EXEMPLE.ca'],
  ['PUBLIC_URL', 'ftp://exemple.ca'],
  ['PUBLIC_URL', 'https://a.ca,'],
  ['PUBLIC_URL', '*'],
  ['PUBLIC_URL', 'https://a&b.ca'],
  ['PUBLIC_URL', "https://a'b.ca"],
  ['PUBLIC_URL', 'https://a;b.ca'],
  ['DATABASE_URL', './data/inbox.sqlite'],
  ['DATABASE_URL', 'sqlite:'],
  ['DATABASE_URL', 'sqlite::memory:'],
  ['DATABASE_URL', 'sqlite: '],
  ['DATABASE_URL', 'sqlite:file:/var/lib/site/inbox.sqlite'],
  ['DATABASE_URL', 'postgres://h1,h2/inbox'],
  ['DATABASE_URL', 'postgres://site:pass@h1:5432,h2:5432/inbox'],
  ['DATABASE_URL', 'postgres:///inbox?host=h1,h2'],
  ['DATABASE_URL', 'postgres://site:100%@db/inbox'],
  ['DATABASE_URL', 'postgres://site:pass@db/inbox?sslrootcert=/no/such/file'],
  ['DATABASE_URL', 'mysql://localhost/site'],
  ['DATABASE_URL', 'postgres://'],
  ['DATABASE_URL', 'postgres://db'],
  ['DATABASE_URL', 'postgres://db/'],
  ['DATABASE_URL', 'postgres://db/a/b'],
  ['DATABASE_URL', 'postgres:///inbox'],
  ['DATABASE_URL', 'postgres://db/inbox?sslmode=maybe'],
  ['DATABASE_URL', 'postgres://db:99999/inbox'],
  ['DATABASE_URL', 'postgres://a:b#c@db/inbox'],
  ['RETENTION_DAYS', '0'],
  ['QUARANTINE_DAYS', '1.5'],

  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '::/0'],
  ['TRUST_PROXY', '10.0.0.0/8,203.0.113.7/0'],
  ['TRUST_PROXY', '10.0.0.0/00'],
  ['TRUST_PROXY', '10.0.0.0/08'],
  ['TRUST_PROXY', '0.0.0.0/1,128.0.0.0/1'],
  ['TRUST_PROXY', '::ffff:0.0.0.0/96'],
  ['TRUST_PROXY', '0:0::/8'],
  ['TRUST_PROXY', '6'],
  ['TRUST_PROXY', '99'],
  ['TRUST_PROXY', 'loopback'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.0/'],
  ['TRUST_PROXY', '10.0.0/8'],
  ['TRUST_PROXY', '::1/129'],
  ['TRUST_PROXY', '10.0.0.0/8,'],
  ['TRUST_PROXY', '10.0.0.0/8/8'],
  ['TRUST_PROXY', '-1'],
  ['CONTACT_LIMIT', '0'],
  ['CONTACT_LIMIT', 'two'],
  ['CONTACT_LIMIT', '1e3'],
  ['CONTACT_WINDOW_MINUTES', '0'],
  ['CONTACT_WINDOW_MINUTES', '1441'],
  ['LOG_LEVEL', 'loud'],
])('%s=%j stops the start, and is named', (name, value) => {
  expect(failureOf({ [name]: value })).toMatch(new RegExp(`^  ${name} is n`, 'm'))
})

test('several faults are named at once, each once', () => {
  const message = failureOf({
    PORT: 'x',
    PUBLIC_URL: 'a,b',
    TRUST_PROXY: 'true',
    CONTACT_LIMIT: '0',
    HOST: '0.0.0.0',
  })
  const named = message.split('\n').slice(1)
  expect(named.map((line) => line.trim().split(' ')[0])).toEqual([
    'PORT',
    'PUBLIC_URL',
    'TRUST_PROXY',
    'CONTACT_LIMIT',
  ])
})

test.each([
  ['DATABASE_URL', 'postgres://site:hush/hush@db.exemple.ca/inbox'],
  ['DATABASE_URL', 'postgres://site:hush%@db.exemple.ca/inbox'],
  ['DATABASE_URL', 'postgres://site:hush@db.exemple.ca/inbox?sslrootcert=/hush'],
  ['PUBLIC_URL', 'https://site:hush@www.exemple.ca'],
])('nothing of a wrong %s that may hold a password is repeated: %s', (name, value) => {
  expect(failureOf({ [name]: value })).not.toMatch(/hush|exemple/)
})

test('a wrong DATABASE_URL is told by its own fault', () => {
  const cases: [string, string][] = [
    ['sqlite:file:inbox.sqlite', 'without file:'],
    ['postgres://h1,h2/inbox', 'HOST is a list'],
    ['postgres://site:100%@db/inbox', 'as %25'],
    ['postgres://db/inbox?sslcert=/no/such/file', 'sslcert names cannot be read'],
  ]
  for (const [url, words] of cases) expect(failureOf({ DATABASE_URL: url })).toContain(words)
})
