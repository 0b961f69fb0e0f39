import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WORDS, type Words } from '../../../server/inbox/command/words.ts'
import { InboxUnavailable } from '../../../server/inbox/inbox-errors.ts'
import { MESSAGE_STATUSES } from '../../../server/inbox/message.ts'
import { listTexts } from '../../../shared/content/company.ts'
import { fr as content } from '../../../shared/content/index.ts'
import { fill } from '../../../shared/format.ts'
import { DAY_MS, NOON, PERIODS } from '../../support/inbox.ts'
import { createSqlitePlace, keepMessages, runCommand, setUpPlace } from './places.ts'

const { en, fr } = WORDS
const place = setUpPlace(createSqlitePlace)

const FRENCH = { LANG: 'fr_CA.UTF-8' }

async function print(args: string[], env: NodeJS.ProcessEnv = FRENCH, now = () => NOON) {
  const { status, out, err } = await runCommand(place, args, { env, now })
  return { status, text: out + err }
}

test.each<[NodeJS.ProcessEnv, string[], 'fr' | 'en']>([
  [{}, [], 'en'],
  [{ LANG: 'fr_CA.UTF-8' }, [], 'fr'],
  [{ LANG: 'en_CA.UTF-8' }, [], 'en'],
  [{ LC_MESSAGES: 'fr', LANG: 'en_CA.UTF-8' }, [], 'fr'],
  [{ LC_ALL: 'C', LC_MESSAGES: 'fr', LANG: 'fr' }, [], 'en'],
  [{ LC_ALL: '', LC_MESSAGES: '', LANG: 'fr' }, [], 'fr'],
  [{ LANG: 'fr' }, ['--lang', 'en'], 'en'],
  [{ LANG: 'en' }, ['--lang=fr'], 'fr'],
])('the locale %j with %j chooses %s', async (env, options, language) => {
  const text = { fr, en }[language].usage
  expect(await print(['--help', ...options], env)).toEqual({ status: 0, text })
  expect((await print(['burn', ...options], env)).text).toContain(text)
})

const MISSING = 'Invalid input: expected string, received undefined'

const listSentences = (words: Words) => listTexts(words).map(([, text]) => text)

test.each(listSentences(fr))('follows the typography of French in Canada: %s', (sentence) => {
  const text = sentence.replaceAll('sqlite:', '').replace(/\d:\d/g, '')
  expect(text).not.toMatch(/[^\u00a0][:%»]|«[^\u00a0]|\s[;!?]/)
  expect(text).not.toMatch(/\p{L}'\p{L}/u)
})

test('no sentence stayed English', () => {
  const english = new Set(listSentences(en))
  // The labels of the form belong to the content.
  const { fields: _, services: __, ...own } = fr
  expect(listTexts(own).filter(([, sentence]) => english.has(sentence))).toEqual([])
})

test('a message, the list and the figures are in French', async () => {
  const [trapped = ''] = await keepMessages(place, [
    { trapped: ['url', 'website'], message: 'État\u00a0: envoyé\nsuite' },
    { message: 'Deuxième message' },
  ])
  const show = await print(['show', trapped.toLowerCase()])
  const { firstName, lastName, email, service, services } = content.contact.form
  expect(show.text.replace(/(?<=\S) {2,}/g, ' ')).toBe(`Référence\u00a0: ${trapped}
Reçu\u00a0: 2026-05-04 08:00 (heure de Toronto)
État\u00a0: mis à part
Champs cachés remplis\u00a0: url, website
${firstName}\u00a0: Zoé
${lastName}\u00a0: O'Neil
${email}\u00a0: zoe@exemple.ca
${service}\u00a0: ${services.francophone}
Langue\u00a0: français

  État\u00a0: envoyé
  suite
`)
  const list = await print(['list'])
  expect(list.text).toMatch(/^REÇU \(HEURE DE TORONTO\) +RÉFÉRENCE +ÉTAT +NOM +/)
  expect(list.text).toMatch(
    /\n2026-05-04 08:00 .* à envoyer .* Deuxième message\n.* mis à part .* envoyé suite\n$/,
  )
  const stats = await print(['stats'])
  expect(stats.text).toBe(`à envoyer\u00a0:  1
envoyé\u00a0:     0
abandonné\u00a0:  0
mis à part\u00a0: 1
réglé\u00a0:      0
`)
  // The values of an export are data and have no translation.
  const csv = ['export', '--format', 'csv', '--status', 'quarantined']
  expect((await print(csv)).text).toContain(',quarantined,')
  for (const args of [['list', '--status', 'quarantined'], csv]) {
    expect((await print(args)).text.match(/RG-\w+-\w+/g)).toEqual([trapped])
  }
})

test.each<[NodeJS.ProcessEnv, Words]>([
  [{}, en],
  [FRENCH, fr],
])('each command answers in its language with %j', async (env, words) => {
  const run = (...args: string[]) => print(args, env)
  expect(await run('list')).toEqual({
    status: 1,
    text: `${words.unavailable} ${words.explain(new InboxUnavailable('missing'))}\n`,
  })
  const [trapped = '', other = ''] = await keepMessages(place, [
    { trapped: ['url'] },
    {},
    { trapped: ['url'] },
  ])
  const file = join(place.folder, 'messages.jsonl')
  writeFileSync(file, '{}\n')
  const backup = join(place.folder, 'copy.sqlite')
  const { changes, colon } = words
  for (const [args, status, text] of [
    [['release', trapped.toLowerCase()], 0, fill(changes.released, { reference: trapped })],
    [['release', trapped], 1, fill(changes['not-quarantined'], { reference: trapped })],
    [['retry', trapped], 0, fill(changes.retried, { reference: trapped })],
    [['archive', trapped], 0, fill(changes.archived, { reference: trapped })],
    [['retry', trapped], 1, fill(changes['not-waiting'], { reference: trapped })],
    [['retry'], 0, `${words.retriedCount}${colon} 1`],
    ...['show', 'release', 'archive', 'retry', 'erase'].map(
      (command) => [[command, 'RG-X'], 1, fill(changes.unknown, { reference: 'RG-X' })] as const,
    ),
    [['import', file], 1, fill(words.wrongField, { line: 1, field: 'reference', detail: MISSING })],
    [['import', `${file}x`], 1, `${file}x ${words.fileErrors.ENOENT}`],
    [['backup', backup], 0, fill(words.copied, { file: backup })],
    [['backup', backup], 1, `${backup} ${words.fileErrors.EEXIST}`],
    [['erase', other], 0, `${words.erased}${colon} 1\n${words.remainder}`],
    [['erase', '--email', 'a@b.ca'], 0, fill(words.noMessageFrom, { email: 'a@b.ca' })],
    [['verify'], 0, `${words.verified}${colon} 2\n${words.isSound}`],
  ] as const) {
    expect(await run(...args)).toEqual({ status, text: `${text}\n` })
  }
  await place.open().purge(PERIODS, { limit: 1 })
  const later = () => NOON + 31 * DAY_MS
  const purged = `${words.purged}${colon} 1\n${words.remainder}\n`
  expect(await print(['purge'], env, later)).toEqual({ status: 0, text: purged })
})

const OPENING_CODES = 'ECONNREFUSED ENOTFOUND 28P01 3D000 42501 53300 CERT_HAS_EXPIRED'.split(' ')

test.each([en, fr])('each code of a store that cannot be opened has its explanation', (words) => {
  const causes = [undefined, ...OPENING_CODES.map((code) => ({ code }))]
  const texts = causes.map((cause) => words.explain(new InboxUnavailable('cannot-open', { cause })))
  expect(new Set(texts).size).toBe(causes.length)
})

test('a forgotten address does not swallow the language', async () => {
  const { err } = await runCommand(place, ['erase', '--email', '--lang', 'fr'])
  expect(err).toBe(`${fr.addressMissing}\n\n${fr.usage}`)
})

const LOST = { option: '--status', choices: MESSAGE_STATUSES.join(', ') }
const FORMAT = { option: '--format', choices: 'csv, jsonl' }
test.each<[usage: string, (words: Words) => string]>([
  ['', (words) => words.commandMissing],
  ['burn', (words) => fill(words.unknownCommand, { name: 'burn' })],
  ['list all', (words) => words.tooManyWords],
  ['show', (words) => words.needsOperand.reference],
  ['backup', (words) => words.needsOperand.file],
  ['erase', (words) => words.eraseNeedsOne],
  ['erase X --email a@b.ca', (words) => words.eraseNeedsOne],
  ['show X --email a', (words) => fill(words.wrongOption, { option: '--email', command: 'show' })],
  ['list --email', (words) => words.addressMissing],
  ['export --format csv --email --status new', (words) => words.addressMissing],
  ['list --loud', (words) => fill(words.wrongOption, { option: '--loud', command: 'list' })],
  ['list --status lost', (words) => fill(words.notOneOf, LOST)],
  ['list --status', (words) => fill(words.notOneOf, LOST)],
  ['export', (words) => fill(words.notOneOf, FORMAT)],
  ['export --format xml', (words) => fill(words.notOneOf, FORMAT)],
  ['list --lang de', (words) => fill(words.notOneOf, { option: '--lang', choices: 'fr, en' })],
  ['erase --email a --email b', (words) => fill(words.repeatedOption, { option: '--email' })],
])('wrong usage is explained in both languages: %s', async (usage, getText) => {
  const args = usage.split(' ').filter(Boolean)
  for (const [env, words] of [
    [FRENCH, fr],
    [{}, en],
  ] as const) {
    const err = `${getText(words)}\n\n${words.usage}`
    expect(await runCommand(place, args, { env })).toEqual({ status: 2, out: '', err })
  }
})
