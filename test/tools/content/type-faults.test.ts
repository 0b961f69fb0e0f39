import { findTypeFaults } from '../../../tools/content/type-faults.ts'

const groupAt = (_: string, line: number) => (line === 13 ? 'brand' : 'contact')
const PUT_BACK = 'this key is missing or was renamed: put it back under this name'
const UNUSED = expect.stringContaining('nothing on the site uses this key')

test('what the compiler says of the texts is said with file and key', () => {
  const output = `server/app.ts(3,1): error TS2304: Cannot find name 'x'.
shared/content/en.ts(13,3): error TS2741: Property 'tagline' is missing in type '{ name: string; }' but required in type 'Brand'.
shared/content/fr.ts(18,3): error TS2322: Type '{ form: {}; }' is not assignable to type 'Contact'.
  Types of property 'form' are incompatible.
    Property 'noService' is missing in type '{}' but required in type '{ noService: string; }'.
shared/content/fr.ts(13,3): error TS2322: Type '{ region: number; }' is not assignable to type 'Brand'.
  Types of property 'region' are incompatible.
    Type 'number' is not assignable to type 'string'.
`
  expect(findTypeFaults(output, groupAt)).toEqual([
    { file: 'en/brand.json', key: 'tagline', advice: PUT_BACK },
    { file: 'fr/contact.json', key: 'form.noService', advice: PUT_BACK },
    { file: 'fr/brand.json', key: 'region', advice: 'this must be a text in quotation marks' },
  ])
})

test('keys that nothing uses are named', () => {
  const output = `tools/content/unknown-keys.ts(34,8): error TS2344: Type '"divisions.items.public-safety.offerings[].foo" | "divisions.oops"' does not satisfy the constraint 'never'.
  Type '"divisions.items.public-safety.offerings[].foo"' is not assignable to type 'never'.
`
  expect(findTypeFaults(output, groupAt)).toEqual([
    { file: 'fr/divisions.json', key: 'items.public-safety.offerings[].foo', advice: UNUSED },
    { file: 'fr/divisions.json', key: 'oops', advice: UNUSED },
  ])
})

test('nothing is said of texts that are in order', () => {
  expect(findTypeFaults('', groupAt)).toEqual([])
})
