import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import request from 'supertest'
import { loadConfig } from '../../../server/config/config.ts'
import { createSqliteInbox } from '../../../server/inbox/create-inbox.ts'
import {
  CONSENT_CHOICES,
  CONSENT_KEY,
  LANGUAGE_KEY,
  MIN_FILL_MS,
  QUARANTINE_DAYS,
  REFUSAL_LIMIT,
  RELOAD_KEY,
  REPEAT_HOURS,
  RETENTION_DAYS,
} from '../../../shared/constants.ts'
import { CONTENT } from '../../../shared/content/index.ts'
import { writeCookie } from '../../../shared/format.ts'
import { LANGUAGES, type Language } from '../../../shared/language.ts'
import { post, VALID } from '../../../tools/harness/contact.ts'
import { createFolder } from '../../support/folders.ts'
import { type Site, soon, startSite } from '../../support/site.ts'

const PATHS = { fr: '/politique-confidentialite', en: '/privacy-policy' }
const HOUR = 60 * 60 * 1000
const folder = createFolder()

let site: Site | undefined
afterEach(async () => {
  await site?.stop()
  site = undefined
})

/** Text of the page, with no-break spaces as spaces. */
async function read(language: Language, environment: Record<string, string> = {}) {
  site = await startSite({ environment })
  const { text } = await request(site.url).get(PATHS[language])
  return text.replaceAll('\u00a0', ' ')
}

describe('how long messages are kept', () => {
  test.each([
    ['fr', 'messages après 2 ans, et l’adresse réseau complète après 24 heures'],
    ['en', 'messages after 2 years, and full network addresses after 24 hours'],
  ] as const)('in %s, without settings', async (language, sentence) => {
    expect(await read(language)).toContain(sentence)
  })

  test.each([
    ['fr', '1000', '7', 'messages après 1 000 jours', 'mis à part pendant 7 jours'],
    ['en', '1000', '7', 'messages after 1,000 days', 'set aside for 7 days'],
    ['fr', '1', '365', 'messages après 1 jour', 'mis à part pendant 1 an,'],
    ['en', '1', '365', 'messages after 1 day', 'set aside for 1 year,'],
  ] as const)('in %s, by settings of %s and %s days', async (...row) => {
    const [language, RETENTION_DAYS, QUARANTINE_DAYS, ...sentences] = row
    const text = await read(language, { RETENTION_DAYS, QUARANTINE_DAYS })
    for (const sentence of sentences) expect(text).toContain(sentence)
    expect(text).not.toMatch(/2 (?:ans|years)/)
  })
})

/** Cells of the n-th table of the policy. */
function findTable(language: Language, place: number): string[][] {
  const blocks = CONTENT[language].privacy.sections.flatMap(({ body }) => body)
  const tables = blocks.flatMap((block) =>
    typeof block === 'object' && 'table' in block ? [block.table] : [],
  )
  return (tables[place]?.rows ?? []).map((row) => row.map((cell) => cell.replace(/\s/g, ' ')))
}

/** Rows of the table of collected data. */
const ROW = {
  firstName: 0,
  lastName: 1,
  email: 2,
  service: 3,
  message: 4,
  language: 5,
  receipt: 6,
  followUp: 7,
  sendingKey: 8,
  traps: 9,
  startTime: 10,
  address: 11,
}

/** Row of the policy for each column with data of a visitor; `rowid` and the like have none. */
const COLUMNS: Record<string, keyof typeof ROW> = {
  'messages.reference': 'receipt',
  'messages.received_at': 'receipt',
  'messages.status': 'followUp',
  'messages.trapped': 'traps',
  'messages.first_name': 'firstName',
  'messages.last_name': 'lastName',
  'messages.email': 'email',
  'messages.mailbox': 'email',
  'messages.service': 'service',
  'messages.message': 'message',
  'messages.language': 'language',
  'messages.content_hash': 'message',
  'messages.read_at': 'followUp',
  'outbox.reference': 'receipt',
  'outbox.due_at': 'followUp',
  'outbox.queued_at': 'followUp',
  'outbox.attempts': 'followUp',
  'outbox.token': 'followUp',
  'attempts.id': 'followUp',
  'attempts.reference': 'receipt',
  'attempts.tried_at': 'followUp',
  'attempts.outcome': 'followUp',
  'attempts.detail': 'followUp',
  'receipts.fingerprint': 'sendingKey',
  'receipts.address': 'address',
  'receipts.idempotency_key': 'sendingKey',
  'receipts.reference': 'receipt',
  'receipts.received_at': 'receipt',
  'hits.id': 'address',
  'hits.address': 'address',
  'hits.expires_at': 'address',
}

/** Tables of the section on protection: the audit table, and the days of digests. */
const OTHERS = ['audit', 'digests']

async function listColumns(): Promise<string[]> {
  const path = join(folder, 'inbox.sqlite')
  const inbox = createSqliteInbox({ path })
  await inbox.open(soon())
  await inbox.close()
  const database = new DatabaseSync(path, { readOnly: true })
  const columns = database
    .prepare(`SELECT tables.name || '.' || columns.name AS name
      FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'`)
    .all()
    .map(({ name }) => String(name))
  database.close()
  return columns.filter((name) => !OTHERS.includes(name.split('.')[0] ?? ''))
}

describe('the table of collected data', () => {
  test('has exactly one row for each column of the store', async () => {
    const columns = await listColumns()
    expect(columns.length).toBeGreaterThan(20)
    expect(columns.filter((name) => !COLUMNS[name])).toEqual([])
    const told = new Set<string>(columns.flatMap((name) => COLUMNS[name] ?? []))
    // Checked, and never stored.
    told.add('startTime')
    expect([...told].sort()).toEqual(Object.keys(ROW).sort())
    for (const language of LANGUAGES) {
      expect(findTable(language, 0)).toHaveLength(Object.keys(ROW).length)
    }
  })

  const rows = Object.entries(ROW)
  test.each(LANGUAGES)('in %s gives each row a period', (language) => {
    const table = findTable(language, 0)
    const periods = rows.map(([name, place]) => {
      const period = /\{\w+\}/.exec(table[place]?.[2] ?? '')?.[0]
      return [name, period]
    })
    const messages = rows.map(([name]) => [name, '{retention}'])
    expect(Object.fromEntries(periods)).toEqual({
      ...Object.fromEntries(messages),
      sendingKey: '{repetition}',
      traps: undefined,
      startTime: undefined,
      address: '{repetition}',
    })
    expect(table[ROW.startTime]?.[1]).toContain(` ${MIN_FILL_MS / 1000} se`)
  })

  test('names the minute of error reports, which are not stored', async () => {
    site = await startSite()
    const { headers } = await request(site.url).post('/api/client-errors').send({})
    expect(headers['ratelimit-policy']).toContain('w=60')
    const [french, english] = [CONTENT.fr, CONTENT.en].map(({ privacy }) => JSON.stringify(privacy))
    expect(french).toContain('pendant une minute, en mémoire seulement')
    expect(english).toContain('for one minute, in memory only')
  })

  test.each(LANGUAGES)('in %s names the minutes of a refusal', async (language) => {
    const text = await read(language)
    expect(text).toContain(` ${REFUSAL_LIMIT.windowMinutes} minutes`)
  })
})

test('addresses, idempotency keys and messages are erased after the periods of the page', async () => {
  site = await startSite()
  const { inbox, clock } = site
  await post(site, VALID, { 'Idempotency-Key': 'one' }).expect(200)
  await post(site, { ...VALID, message: 'Un pourriel', website: 'x' }).expect(200)
  const begin = clock.time
  const periods = { retentionDays: RETENTION_DAYS, quarantineDays: QUARANTINE_DAYS }
  const keptAfter = async (hours: number) => {
    clock.time = begin + hours * HOUR
    await inbox.purge(periods, 100, soon())
    const copy = join(folder, `${hours}.sqlite`)
    await inbox.backup(copy, soon())
    const database = new DatabaseSync(copy, { readOnly: true })
    const count = (table: string) =>
      database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count
    const counts = ['messages', 'receipts', 'hits'].map(count)
    database.close()
    return counts
  }
  expect(await keptAfter(0)).toEqual([2, 2, 2])
  expect(await keptAfter(REPEAT_HOURS)).toEqual([2, 0, 0])
  expect(await keptAfter(QUARANTINE_DAYS * 24)).toEqual([1, 0, 0])
  expect(await keptAfter(RETENTION_DAYS * 24)).toEqual([0, 0, 0])
})

test('no window of the message limit outlives the period of addresses', () => {
  const minutes = REPEAT_HOURS * 60
  const load = (count: number) => loadConfig({ CONTACT_WINDOW_MINUTES: String(count) })
  expect(load(minutes).contactLimit.windowMinutes).toBe(minutes)
  expect(() => load(minutes + 1)).toThrow('CONTACT_WINDOW_MINUTES')
})

describe('the table of data in the browser', () => {
  test.each(LANGUAGES)('in %s has the keys and their values', (language) => {
    const [chosen, consent, reloaded, ...more] = findTable(language, 1)
    expect(chosen?.[0]).toBe(LANGUAGE_KEY)
    for (const value of LANGUAGES) expect(chosen?.[1]).toMatch(new RegExp(`\\b${value}\\b`))
    expect(consent?.[0]).toBe(CONSENT_KEY)
    for (const value of CONSENT_CHOICES) expect(consent?.[1]).toContain(value)
    expect(reloaded?.[0]).toBe(RELOAD_KEY)
    expect(more).toEqual([])
  })

  test('says one year, the life of both cookies', () => {
    const [, seconds] = /Max-Age=(\d+)/.exec(writeCookie('x', 'y', true)) ?? []
    expect(Number(seconds)).toBe(365 * 24 * 60 * 60)
    for (const place of [0, 1]) {
      expect(findTable('fr', 1)[place]?.[3]).toContain('Témoin : un an après')
      expect(findTable('en', 1)[place]?.[3]).toContain('Cookie: one year after')
    }
  })

  test('says after the last visit: each page renews the language', async () => {
    site = await startSite()
    const { headers } = await request(site.url).get('/services').set('Cookie', 'rg-language=en')
    expect(headers['set-cookie']?.[0]).toMatch(/^rg-language=en; Max-Age=31536000;/)
  })
})

test.each(LANGUAGES)('in %s each address and telephone number is a link', async (language) => {
  const text = await read(language)
  const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
  const bare = main.replace(/<a [^>]*>[^<]*<\/a>/g, '')
  expect(bare).not.toMatch(/@|\d{3}[ -]\d{3}-\d{4}|[gq]c\.ca/)
  for (const address of [
    'mailto:privacy@example.ca',
    'tel:+16135550199',
    'https://www.priv.gc.ca/',
  ])
    expect(main).toContain(`<a href="${address}">`)
})

test.each(LANGUAGES)('in %s the words beside a link are in an element', async (language) => {
  const text = await read(language)
  const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
  expect(main).toContain('</a><span>')
  expect(main).not.toMatch(/[^>]<a |<\/a>[^<]/)
})
