import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CONSENT_CHOICES, CONSENT_KEY, RELOAD_KEY } from '../../../client/storage.ts'
import { REPORT_LIMIT } from '../../../server/api/client-errors.ts'
import { createInbox } from '../../../server/inbox/create-inbox.ts'
import {
  LANGUAGE_KEY,
  MAX_CONTACT_WINDOW_MINUTES,
  MIN_FILL_MS,
  REFUSAL_LIMIT,
  REPEAT_HOURS,
} from '../../../shared/constants.ts'
import { CONTENT } from '../../../shared/content/index.ts'
import { writeCookie } from '../../../shared/format.ts'
import { LANGUAGES, type Language } from '../../../shared/language.ts'
import { createFolder } from '../../support/folders.ts'
import { get, setUpSite, soon } from '../setup.ts'

const PATHS = { fr: '/politique-confidentialite', en: '/privacy-policy' }
const folder = createFolder()

setUpSite()

/** HTML of the page, with plain spaces instead of no-break spaces. */
async function read(language: Language) {
  const { text } = await get(PATHS[language])
  return text.replaceAll('\u00a0', ' ')
}

describe.each<{ environment: Record<string, string>; fr: string[]; en: string[] }>([
  {
    environment: {},
    fr: ['messages après 2 ans, et l’adresse réseau complète après 24 heures'],
    en: ['messages after 2 years, and full network addresses after 24 hours'],
  },
  {
    environment: { RETENTION_DAYS: '1000', QUARANTINE_DAYS: '1' },
    fr: ['messages après 1 000 jours', 'effacé après 1 jour'],
    en: ['messages after 1,000 days', 'erased after 1 day'],
  },
])('the periods with $environment', ({ environment, ...sentences }) => {
  setUpSite({ environment })

  test.each(LANGUAGES)('in %s', async (language) => {
    const text = await read(language)
    for (const sentence of sentences[language]) expect(text).toContain(sentence)
    expect(/2 (?:ans|years)/.test(text)).toBe(!('RETENTION_DAYS' in environment))
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

/** Each row of the policy's table of collected data, with the database columns that it describes. */
const ROWS: Record<string, string> = {
  firstName: 'messages.first_name',
  lastName: 'messages.last_name',
  email: 'messages.email messages.mailbox',
  service: 'messages.service',
  message: 'messages.message',
  language: 'messages.language',
  receipt: `messages.reference messages.received_at outbox.id outbox.reference attempts.mail_id
    receipts.reference receipts.received_at`,
  followUp: `messages.status outbox.due_at outbox.queued_at outbox.attempts
    outbox.token attempts.id attempts.tried_at attempts.outcome attempts.detail`,
  submissionKey: 'receipts.fingerprint receipts.idempotency_key',
  checksum: 'messages.content_hash',
  traps: 'messages.trapped',
  // The start time is checked and never stored.
  startTime: '',
  address: 'receipts.address hits.id hits.address hits.hit_at',
}
const NAMES = Object.keys(ROWS)

/** All columns but those of `audit`, the record of the inbox commands, which the policy leaves out. */
async function listColumns(): Promise<string[]> {
  const path = join(folder, 'inbox.sqlite')
  const inbox = createInbox({ kind: 'sqlite', path })
  await inbox.probe(soon())
  await inbox.close()
  using database = new DatabaseSync(path, { readOnly: true })
  return database
    .prepare(`SELECT tables.name || '.' || columns.name AS name
      FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND tables.name <> 'audit'`)
    .all()
    .map(({ name }) => String(name))
}

test('the table of collected data has exactly one row for each column of the store', async () => {
  const described = Object.values(ROWS).flatMap((columns) => columns.match(/\S+/g) ?? [])
  expect(described.sort()).toEqual((await listColumns()).sort())
  for (const language of LANGUAGES) expect(findTable(language, 0)).toHaveLength(NAMES.length)
})

test.each(LANGUAGES)('the table of collected data in %s gives each row a period', (language) => {
  const table = findTable(language, 0)
  const periods = NAMES.map((name, place) => [name, /\{\w+\}/.exec(table[place]?.[2] ?? '')?.[0]])
  expect(Object.fromEntries(periods)).toEqual({
    ...Object.fromEntries(NAMES.map((name) => [name, '{retention}'])),
    submissionKey: '{repetition}',
    traps: undefined,
    startTime: undefined,
    address: '{repetition}',
  })
  expect(table[NAMES.indexOf('startTime')]?.[1]).toContain(` ${MIN_FILL_MS / 1000} se`)
})

test.each([
  ['fr', 'comptée pendant une minute'],
  ['en', 'counted for one minute'],
] as const)('in %s the minutes of a refusal and of an error report are right', async (...row) => {
  const [language, sentence] = row
  const text = await read(language)
  expect(text).toContain(` ${REFUSAL_LIMIT.windowMinutes} minutes, `)
  expect(REPORT_LIMIT.windowMinutes).toBe(1)
  expect(text).toContain(sentence)
})

test('no window of the message limit outlives the period of addresses', () => {
  expect(MAX_CONTACT_WINDOW_MINUTES).toBeLessThanOrEqual(REPEAT_HOURS * 60)
})

test.each([
  ['fr', 'Témoin : un an après'],
  ['en', 'Cookie: one year after'],
] as const)(
  'the table of data in the browser in %s has keys, values and life',
  (language, life) => {
    const table = findTable(language, 1)
    expect(table.map(([key]) => key)).toEqual([LANGUAGE_KEY, CONSENT_KEY, RELOAD_KEY])
    const [chosen, consent] = table
    for (const value of LANGUAGES) expect(chosen?.[1]).toMatch(new RegExp(`\\b${value}\\b`))
    for (const value of CONSENT_CHOICES) expect(consent?.[1]).toContain(value)
    expect(writeCookie('x', 'y', true)).toContain(`Max-Age=${365 * 24 * 60 * 60};`)
    for (const row of [chosen, consent]) expect(row?.[3]).toContain(life)
  },
)

test.each(LANGUAGES)('in %s addresses and telephone numbers are links', async (language) => {
  const text = await read(language)
  const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
  const bare = main.replace(/<a [^>]*>[^<]*<\/a>/g, '')
  expect(bare).not.toMatch(/@|\d{3}[ -]\d{3}-\d{4}|[gq]c\.ca/)
  for (const url of ['mailto:privacy@example.ca', 'tel:+16135550199', 'https://www.priv.gc.ca/']) {
    expect(main).toContain(`<a href="${url}">`)
  }
  // Text beside a link is in its own element, as docs/decisions/0002-pages.md requires.
  expect(main).toContain('</a><span>')
  expect(main).not.toMatch(/[^>]<a |<\/a>[^<]/)
})
