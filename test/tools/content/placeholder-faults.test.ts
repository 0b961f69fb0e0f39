import { company } from '../../../shared/content/company.ts'
import { en } from '../../../shared/content/en.ts'
import { fr } from '../../../shared/content/fr.ts'
import { companyValues } from '../../../shared/format.ts'
import { privacyValues } from '../../../shared/privacy-values.ts'
import { listTexts } from '../../../tools/content/content-faults.ts'
import { FACTS, findPlaceholderFaults, PERIODS } from '../../../tools/content/placeholder-faults.ts'

test.each(Object.entries({ fr, en }))('the texts in %s are in order', (_language, content) => {
  const faults = Object.entries(content).flatMap(([group, texts]) =>
    listTexts(texts).flatMap(([key, text]) => findPlaceholderFaults(`${group}.json`, key, text)),
  )
  expect(faults).toEqual([])
})

test('the names are those that the site fills in', () => {
  const periods = { retentionDays: 1, quarantineDays: 1 }
  expect(Object.keys(companyValues(company, 'fr'))).toEqual(FACTS)
  expect(Object.keys(privacyValues(company, periods, fr.privacy, 'fr'))).toEqual([
    ...FACTS,
    ...PERIODS,
  ])
})

test.each([
  ['hero.json', 'intro', 'Call {phone}', 'cannot fill in {phone}; here it knows none'],
  ['footer.json', 'rights', '© {nom} {name}', 'cannot fill in {nom}; here it knows {name}'],
  ['footer.json', 'rights', '© RG', 'put {name} back'],
  ['contact.json', 'form.messageHint', 'At least {min}', 'put {max} back'],
  ['contact.json', 'form.limit.other', 'many messages', 'put {count} back'],
  ['privacy.json', 'sections[2].body[1].table.head[0]', '{name}', 'cannot fill in {name}'],
  ['privacy.json', 'banner.text', '{retention}', 'cannot fill in {retention}'],
  ['privacy.json', 'summary.points[0]', '{téléphone}', 'a brace stands alone'],
  ['privacy.json', 'intro', 'Write to {privacyEmail', 'a brace stands alone'],
  ['errors.json', 'problems.limit-reached', 'Wait: {limit}, {phone}', 'put {email} back'],
  ['errors.json', 'problems.not-found', '{reference}', 'cannot fill in {reference}'],
])('%s, %s: %j is answered', (file, key, text, answer) => {
  expect(findPlaceholderFaults(file, key, text).join()).toContain(answer)
})

test.each([
  ['privacy.json', 'sections[2].body[1].table.rows[0][2]', '{retention}, then erased'],
  ['privacy.json', 'sections[1].body[2].list[0]', 'Email: {privacyEmail}'],
  ['errors.json', 'problems.not-found', 'Nothing here. Call {phone}.'],
  ['hero.json', 'headline', 'No names'],
])('%s, %s: nothing is wrong with %j', (file, key, text) => {
  expect(findPlaceholderFaults(file, key, text)).toEqual([])
})
