import { company } from '../../shared/content/company.ts'
import { en } from '../../shared/content/en.ts'
import { fr } from '../../shared/content/fr.ts'
import { findPlaceholders } from '../../shared/content/placeholders.ts'
import {
  companyValues,
  describeFault,
  describeLimit,
  fill,
  fillPlural,
  formatAddress,
  formatPhone,
} from '../../shared/text.ts'

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

  test('a name without a value is a mistake', () => {
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
  ] as const)('in %s of %d', (language, count, expected) => {
    expect(fillPlural(texts, count, language)).toBe(expected)
  })
})

test.each([
  [{ count: 2, windowMinutes: 60 }, '2 messages par heure', '2 messages per hour'],
  [{ count: 1, windowMinutes: 60 }, '1 message par heure', '1 message per hour'],
  [
    { count: 5, windowMinutes: 15 },
    '5 messages par période de 15 minutes',
    '5 messages per 15 minutes',
  ],
])('the limit %j is said with its numbers', (limit, french, english) => {
  expect(describeLimit(limit, fr, 'fr')).toBe(french)
  expect(describeLimit(limit, en, 'en')).toBe(english)
})

test.each([
  ['+16135550199', '613\u00a0555-0199', '613-555-0199'],
  ['+33123456789', '+33123456789', '+33123456789'],
  ['613 555-0199', '613 555-0199', '613 555-0199'],
])('the telephone %s is written as the language does', (phone, french, english) => {
  expect(formatPhone(phone, 'fr')).toBe(french)
  expect(formatPhone(phone, 'en')).toBe(english)
})

test('the firm is described in each language', () => {
  expect(formatAddress(company, 'en')).toBe(
    `${company.address.en.street}, ${company.address.en.city} ${company.address.en.postalCode}`,
  )
  expect(companyValues(company, 'fr')).toEqual({
    name: company.legalName.fr,
    address: formatAddress(company, 'fr'),
    phone: formatPhone(company.phone, 'fr'),
    email: company.email,
    privacyEmail: company.privacyEmail,
  })
})

describe('the sentence of a fault', () => {
  test.each([
    ['firstName', '100'],
    ['lastName', '100'],
    ['email', '254'],
  ])('too long names the limit of %s', (field, max) => {
    expect(describeFault({ field, code: 'too-long' }, fr)).toContain(max)
    expect(describeFault({ field, code: 'too-long' }, en)).toContain(max)
  })

  // To the letter of the specification's section 5.
  test.each([
    ['too-fast', 'Veuillez prendre le temps de bien remplir le formulaire.'],
    ['required', 'Veuillez remplir tous les champs obligatoires.'],
    ['email-invalid', 'Veuillez entrer une adresse email valide.'],
    ['message-too-short', 'Le message doit contenir au moins 10 caractères.'],
    ['message-too-long', 'Le message ne peut pas dépasser 2000 caractères.'],
  ] as const)('%s is that of the specification', (code, sentence) => {
    expect(describeFault({ field: 'x', code }, fr)).toBe(sentence)
  })

  test('the sentences of section 8 are those of the specification', () => {
    expect(fr.contact.failed).toEqual({
      title: 'Erreur',
      description: "Une erreur s'est produite lors de l'envoi du message. Veuillez réessayer.",
    })
    expect(fr.contact.sent).toMatchObject({
      title: 'Message envoyé',
      description: 'Merci pour votre message. Nous vous contacterons bientôt!',
    })
    expect(fr.errors.notFound.headline).toBe('Page introuvable')
    expect(en.errors.notFound.headline).toBe('Page not found')
    expect(fr.errors.serverError.headline).toBe('Erreur serveur')
    expect(en.errors.serverError.headline).toBe('Server error')
  })
})

test('placeholders among the facts are found by their keys', () => {
  const real = {
    ...company,
    email: 'info@groupe.ca',
    phone: '+16137431234',
    registrations: { ontario: ['123', '000'], canada: '456' },
  }
  const found = findPlaceholders(real)
  expect(found).toContain('registrations.ontario.1')
  expect(found).toContain('links.site')
  expect(found).not.toContain('email')
  expect(found).not.toContain('phone')
  expect(found).not.toContain('registrations.canada')
})

test.each([
  [1, 'fr', '2 messages par minute'],
  [60, 'fr', '2 messages par heure'],
  [90, 'en', '2 messages per 90 minutes'],
  [120, 'fr', '2 messages par période de 2 heures'],
  [1440, 'en', '2 messages per day'],
] as const)('a window of %d minutes reads as words', (windowMinutes, language, sentence) => {
  const content = language === 'fr' ? fr : en
  expect(describeLimit({ count: 2, windowMinutes }, content, language)).toBe(sentence)
})
