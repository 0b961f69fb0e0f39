import { describeFault, describeLimit, describeRefusal } from '../../shared/contact-sentences.ts'
import { company, findPlaceholders } from '../../shared/content/company.ts'
import { en, fr } from '../../shared/content/index.ts'
import { fill, fillPlural, formatPhone, getCompanyValues } from '../../shared/format.ts'

test.each([
  [2, 60, '2 messages per hour'],
  [1, 60, '1 message per hour'],
  [5, 15, '5 messages every 15 minutes'],
  [2, 1, '2 messages per minute'],
  [2, 120, '2 messages every 2 hours'],
  [2, 1440, '2 messages per day'],
])('%d in %d minutes is described in words', (count, windowMinutes, words) => {
  const limit = { one: '{count} message', other: '{count} messages' }
  const window = {
    minute: 'per minute',
    minutes: 'every {minutes} minutes',
    hour: 'per hour',
    hours: 'every {hours} hours',
    day: 'per day',
  }
  expect(describeLimit({ count, windowMinutes }, { limit, window }, 'en')).toBe(words)
})

test.each([
  ['firstName', '100'],
  ['email', '254'],
] as const)('the sentence of a text that is too long names the limit of %s', (field, max) => {
  expect(describeFault({ field, code: 'too-long' }, fr.contact.faults)).toContain(max)
  expect(describeFault({ field, code: 'too-long' }, en.contact.faults)).toContain(max)
})

describe('a refusal on the page of the form', () => {
  const options = {
    limit: { count: 2, windowMinutes: 60 },
    texts: { ...fr.contact, problems: fr.errors.problems },
    language: 'fr',
  } as const

  test('has a sentence in the language of the page, with the time of the next try', () => {
    const sentence = describeRefusal(
      { code: 'limit-reached', status: 429, retryAfterSeconds: 661 },
      options,
    )
    const values = {
      ...getCompanyValues(company, 'fr'),
      limit: describeLimit(options.limit, fr.contact.form, 'fr'),
      minutes: 12,
    }
    expect(sentence).toBe(`429: ${fill(fr.errors.problems['limit-reached'], values)}`)
  })

  test('without a known code has the sentence of the server, or the fallback', () => {
    const sentence = '502: Proxy'
    expect(describeRefusal({ sentence }, options)).toBe(sentence)
    expect(describeRefusal({}, options)).toBe(fr.contact.failed.description)
  })
})

test.each([
  ['{a} and {b}', { a: 1, b: 'two' }, '1 and two'],
  ['{a}{b}', { a: '$&{b}', b: '' }, '$&{b}'],
  ['{a}', { a: 0 }, '0'],
])('the text %j is filled in with %j', (text, values, expected) => {
  expect(fill(text, values)).toBe(expected)
})

test.each([
  ['fr', 0, '0 mot'],
  ['en', 0, '0 mots'],
  ['en', 1, '1 mot'],
  ['fr', 1_000_000, '1\u00a0000\u00a0000 mots'],
] as const)('a text is filled in with a number: in %s with %d', (language, count, expected) => {
  const texts = { one: '{count} mot', other: '{count} mots' }
  expect(fillPlural(texts, count, language)).toBe(expected)
})

test.each([
  ['+16135550199', '613\u00a0555-0199', '613-555-0199'],
  ['613 555-0199', '613 555-0199', '613 555-0199'],
])('the telephone number %s is written by the rules of the language', (phone, french, english) => {
  expect(formatPhone(phone, 'fr')).toBe(french)
  expect(formatPhone(phone, 'en')).toBe(english)
})

test('copy about the firm gets its values in each language', () => {
  const firm = {
    ...company,
    address: {
      fr: { street: '1, rue X', city: 'Ville', province: 'Ontario', postalCode: 'K1A 0A0' },
      en: { street: '1 X Street', city: 'City', province: 'Ontario', postalCode: 'K1A 0A0' },
    },
  }
  expect(getCompanyValues(firm, 'en').address).toBe('1 X Street, City, Ontario K1A\u00a00A0')
  expect(getCompanyValues(firm, 'fr')).toEqual({
    name: company.legalName.fr,
    address: '1, rue X, Ville (Ontario) K1A\u00a00A0',
    phone: formatPhone(company.phone, 'fr'),
    email: company.email,
    privacyEmail: company.privacyEmail,
    backups: company.backups.fr,
  })
})

test('placeholders are found by their keys, real facts are not', () => {
  const facts = {
    phone: '+16137431234',
    links: { site: 'https://example.com' },
    numbers: ['1', '000'],
  }
  expect(findPlaceholders(facts)).toEqual(['links.site', 'numbers[1]'])
})
