import { listTexts } from './content-faults.ts'

interface Fact {
  holds: RegExp
  advice: string
}

const TEXT = { holds: /\S/, advice: 'this is empty: write it, or put the old one back' }
const EMAIL = {
  holds: /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i,
  advice: 'this is not an e-mail address: write it like info@example.ca',
}
const POSTAL_CODE = {
  holds: /^[A-Z]\d[A-Z] \d[A-Z]\d$/,
  advice: 'this is not a postal code: write it like K1A 0A0',
}
const REGISTRATION = {
  holds: /^\d{6,10}$/,
  advice: 'this is not a registration number: write its digits alone, 6 to 10 of them',
}
const link = (host: string): Fact => ({
  holds: new RegExp(`^https://${host.replaceAll('.', '\\.')}(?:/\\S*)?$`),
  advice: `this is not an address of that kind: write it whole, like https://${host}/…`,
})

const FACTS: Record<string, Fact> = {
  'legalName.fr': TEXT,
  'legalName.en': TEXT,
  'address.fr.street': TEXT,
  'address.fr.city': TEXT,
  'address.fr.province': TEXT,
  'address.fr.postalCode': POSTAL_CODE,
  'address.en.street': TEXT,
  'address.en.city': TEXT,
  'address.en.province': TEXT,
  'address.en.postalCode': POSTAL_CODE,
  phone: {
    holds: /^\+1\d{10}$/,
    advice: 'this is not a telephone number: write +1 and ten digits, like +16135550199',
  },
  email: EMAIL,
  privacyEmail: EMAIL,
  'registrations.ontario[0]': REGISTRATION,
  'registrations.ontario[1]': REGISTRATION,
  'registrations.canada': REGISTRATION,
  'links.site': {
    holds: /^https:\/\/[^\s/]+\.[a-z]{2,}(?:\/\S*)?$/i,
    advice: 'this is not a web address: write it whole, like https://example.ca/',
  },
  'links.x': link('x.com'),
  'links.instagram': link('www.instagram.com'),
  'links.discord': link('discord.com'),
}

/** What of a street or a postal code is the same in every language. */
const numberOf = (text = '') => text.match(/\d+/g)?.join()

/** What is wrong with the facts about the firm, as `[key, what to do]`. */
export function findCompanyFaults(company: unknown): [string, string][] {
  const found = new Map(listTexts(company))
  const faults: [string, string][] = []
  for (const [key, { holds, advice }] of Object.entries(FACTS)) {
    const value = found.get(key)
    if (value === undefined) faults.push([key, 'this key is missing: put it back, with a text'])
    else if (!holds.test(value)) faults.push([key, `${advice}; it says “${value}”`])
  }
  for (const key of found.keys()) {
    if (!(key in FACTS))
      faults.push([key, 'nothing on the site uses this key: remove or rename it'])
  }
  for (const part of ['street', 'postalCode']) {
    const [fr, en] = ['fr', 'en'].map((language) => found.get(`address.${language}.${part}`))
    if (numberOf(fr) !== numberOf(en)) {
      faults.push([
        `address.en.${part}`,
        `the two languages give different numbers: “${fr}” in French, “${en}” in English`,
      ])
    }
  }
  return faults
}
