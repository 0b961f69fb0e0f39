import { company } from '../../../shared/content/company.ts'
import { findCompanyFaults } from '../../../tools/content/company-faults.ts'

test('the facts as they are hold', () => {
  expect(findCompanyFaults(company)).toEqual([])
})

const { fr, en } = company.address

test.each([
  ['email', { email: 'info@@example.ca' }, 'not an e-mail address'],
  ['privacyEmail', { privacyEmail: 'privacy' }, 'not an e-mail address'],
  ['phone', { phone: '613-555-0199' }, 'like +16135550199'],
  ['links.site', { links: { ...company.links, site: 'example.ca' } }, 'write it whole'],
  ['links.x', { links: { ...company.links, x: 'https://discord.com/a' } }, 'https://x.com/'],
  [
    'registrations.canada',
    { registrations: { ontario: ['000000000', '0000000000'], canada: 'n/a' } },
    'digits',
  ],
  [
    'address.en.street',
    { address: { fr, en: { ...en, street: '124 Example Street' } } },
    'different numbers',
  ],
  [
    'address.en.postalCode',
    { address: { fr, en: { ...en, postalCode: 'K1A 0A1' } } },
    'different numbers',
  ],
  ['legalName.fr', { legalName: { fr: ' ', en: 'RG Group' } }, 'empty'],
  ['phone', { phone: undefined }, 'missing'],
  ['fax', { fax: '+16135550198' }, 'nothing on the site uses this key'],
])('%s: %j is answered', (key, edit, advice) => {
  expect(findCompanyFaults({ ...company, ...edit })).toEqual([
    [key, expect.stringContaining(advice)],
  ])
})
