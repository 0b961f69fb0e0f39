import { company, findPlaceholders } from '../../shared/content/company.ts'
import {
  fill,
  fillPlural,
  formatPhone,
  getCompanyValues,
  writeCookie,
} from '../../shared/format.ts'
import { findLanguage } from '../../shared/language.ts'

describe('fill', () => {
  test.each([
    ['no names', {}, 'no names'],
    ['{a} and {b}', { a: 1, b: 'two' }, '1 and two'],
    ['{a}{a}', { a: '$&' }, '$&$&'],
    ['{a}', { a: '{b}', b: 'no' }, '{b}'],
    ['{a}', { a: '' }, ''],
    ['{a}', { a: 0 }, '0'],
  ])('%j with %j', (text, values, expected) => {
    expect(fill(text, values)).toBe(expected)
  })

  test('a name without a value throws', () => {
    expect(() => fill('call {phone}', {})).toThrow('No value for {phone}')
  })
})

describe('fillPlural', () => {
  const texts = { one: '{count} mot', other: '{count} mots' }
  test.each([
    ['fr', 0, '0 mot'],
    ['fr', 1, '1 mot'],
    ['fr', 2, '2 mots'],
    ['en', 0, '0 mots'],
    ['en', 1, '1 mot'],
    ['en', 2, '2 mots'],
    ['fr', 1_000_000, '1\u00a0000\u00a0000 mots'],
    ['en', 1000, '1,000 mots'],
  ] as const)('in %s of %d', (language, count, expected) => {
    expect(fillPlural(texts, count, language)).toBe(expected)
  })
})

test.each([
  ['+16135550199', '613\u00a0555-0199', '613-555-0199'],
  ['+33123456789', '+33123456789', '+33123456789'],
  ['613 555-0199', '613 555-0199', '613 555-0199'],
])('the telephone number %s is written by the rules of the language', (phone, french, english) => {
  expect(formatPhone(phone, 'fr')).toBe(french)
  expect(formatPhone(phone, 'en')).toBe(english)
})

test('copy about the firm gets its values in each language', () => {
  const { address } = getCompanyValues(company, 'en')
  expect(address).toBe('123 Example Street, City, Ontario K1A 0A0')
  expect(getCompanyValues(company, 'fr')).toEqual({
    name: company.legalName.fr,
    address: '123, rue Exemple, Ville (Ontario) K1A 0A0',
    phone: formatPhone(company.phone, 'fr'),
    email: company.email,
    privacyEmail: company.privacyEmail,
    logsAndBackups: company.logsAndBackups.fr,
  })
})

test('placeholders are found by their keys', () => {
  const real = {
    ...company,
    email: 'info@groupe.ca',
    phone: '+16137431234',
    registrations: { ontario: ['123', '000'], canada: '456' },
  }
  const found = findPlaceholders(real)
  expect(found).toContain('registrations.ontario[1]')
  expect(found).toContain('links.site')
  expect(found).not.toContain('email')
  expect(found).not.toContain('phone')
  expect(found).not.toContain('registrations.canada')
})

test.each([
  [false, 'rg-language=fr; Max-Age=31536000; Path=/; SameSite=Lax'],
  [true, 'rg-language=fr; Max-Age=31536000; Path=/; SameSite=Lax; Secure'],
])('a cookie lasts a year; secure: %s', (secure, cookie) => {
  expect(writeCookie('rg-language', 'fr', secure)).toBe(cookie)
})

test.each([
  ['fr', 'fr'],
  ['en', 'en'],
  ['FR', undefined],
  ['en-CA', undefined],
  ['', undefined],
  [undefined, undefined],
  [null, undefined],
  [['en'], undefined],
  [{ toString: (): string => 'en' }, undefined],
])('%j is the language %s', (value, language) => {
  expect(findLanguage(value)).toBe(language)
})
