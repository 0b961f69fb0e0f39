import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createStore } from '../../../server/inbox/create-store.ts'
import { MAX_CONTACT_WINDOW_MINUTES, REFUSAL_LIMIT } from '../../../shared/contact-limit.ts'
import { listTexts } from '../../../shared/content/company.ts'
import { CONTENT, type Content } from '../../../shared/content/index.ts'
import { fill, fillPlural, writeCookie } from '../../../shared/format.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { REPEAT_HOURS } from '../../../shared/retention.ts'
import { listWords } from '../../../tools/content/check-content.ts'
import { DATA_PERIODS } from '../../../tools/content/rules.ts'
import { createFolder } from '../../support/folders.ts'
import { getWords } from '../../support/languages.ts'
import { get, restartSite, setUpSite } from '../setup.ts'

type Count = [unit: keyof Content['privacy']['periods'], count: number]

const PATHS = { fr: '/politique-confidentialite', en: '/privacy-policy' }
const folder = createFolder()

setUpSite()

test.each<[Record<string, string>, Count, Count]>([
  [{}, ['years', 2], ['days', 30]],
  [{ RETENTION_DAYS: '1000', QUARANTINE_DAYS: '1' }, ['days', 1000], ['days', 1]],
])('with %j the policy gives %j and %j', async (environment, retention, quarantine) => {
  await restartSite({ environment })
  const counts: Record<string, Count> = {
    retention,
    quarantine,
    repetition: ['hours', REPEAT_HOURS],
    refusals: ['minutes', REFUSAL_LIMIT.windowMinutes],
  }
  for (const language of LANGUAGES) {
    const { periods, summary, sections } = CONTENT[language].privacy
    const values = Object.fromEntries(
      Object.entries(counts).map(([word, [unit, count]]) => [
        word,
        fillPlural(periods[unit], count, language),
      ]),
    )
    const hasPeriods = (text: string) =>
      listWords(text).length > 0 && listWords(text).every((word) => word.slice(1, -1) in values)
    const texts = listTexts({ summary, sections }).map(([, text]) => text)
    const { text } = await get(PATHS[language])
    const page = getWords(text.replace(/<[^>]+>/g, ''))
    for (const given of texts.filter(hasPeriods)) expect(page).toContain(fill(given, values))
  }
})

/** Each row of the policy's table of collected data, with the database columns that it describes. */
const ROWS: Record<string, string> = {
  firstName: 'messages.first_name',
  lastName: 'messages.last_name',
  email: 'messages.email messages.mailbox',
  service: 'messages.service',
  message: 'messages.message',
  language: 'messages.language',
  receipt: `messages.reference messages.received_at messages.expired_at outbox.id outbox.reference attempts.mail_id
    receipts.reference receipts.received_at`,
  followUp: `messages.status outbox.due_at outbox.queued_at outbox.attempts
    outbox.reported_until outbox.token attempts.id attempts.tried_at attempts.outcome attempts.detail`,
  // The key of a sender's program: the site ignores it, and the column stays empty.
  fingerprint: 'receipts.fingerprint receipts.idempotency_key',
  traps: 'messages.trapped',
  // The start time is checked and never stored.
  startTime: '',
  address: 'receipts.address hits.id hits.address hits.hit_at',
  // The owner's copy is in no store of the site.
  mailedCopy: '',
}
const NAMES = Object.keys(ROWS)

/** All columns but those of `audit` and `client_errors`, which hold nothing of a visitor. */
async function listColumns(): Promise<string[]> {
  const path = join(folder, 'inbox.sqlite')
  const store = createStore({ kind: 'sqlite', path })
  await store.transaction(() => {})
  await store.close()
  using database = new DatabaseSync(path, { readOnly: true })
  return database
    .prepare(`SELECT tables.name || '.' || columns.name AS name
      FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND tables.name NOT IN ('audit', 'client_errors')`)
    .all()
    .map(({ name }) => String(name))
}

test('the table of collected data has exactly one row for each column of the store', async () => {
  const described = Object.values(ROWS).flatMap((columns) => columns.match(/\S+/g) ?? [])
  expect(described.sort()).toEqual((await listColumns()).sort())
  expect(NAMES).toHaveLength(DATA_PERIODS.split(', ').length)
})

test('no window of the message limit outlives the period of addresses', () => {
  expect(MAX_CONTACT_WINDOW_MINUTES).toBeLessThanOrEqual(REPEAT_HOURS * 60)
})

test('the policy says right that a cookie lasts one year', () => {
  expect(writeCookie('x', 'y', true)).toContain(`Max-Age=${365 * 24 * 60 * 60};`)
})
