import { isEmail } from '../../shared/contact.ts'

const label = 'a'.repeat(63)

test.each([
  'zoe@exemple.ca',
  'a@exemple.québec',
  'a@éxemple.ca',
  'user%x@y.ca',
  "o'neil+tag@sub.exemple.ca",
  "!#$%&'*+/=?^_`{|}~-@exemple.ca",
  '.a..b.@exemple.ca',
  '1@1.ca',
  'A@EXEMPLE.CA',
  'a@xn--exmple-cva.ca',
  'a@例え.jp',
  `a@${label}.ca`,
  'a@a-b.c-d.ca',
])('%s is an e-mail address', (address) => {
  expect(isEmail(address)).toBe(true)
})

test.each([
  '',
  'zoe',
  'exemple.ca',
  'zoe.exemple.ca',
  '@',
  'zoe@',
  '@exemple.ca',
  'zoe@exemple',
  'zoe@.ca',
  'zoe@exemple.',
  'zoe@exemple..ca',
  'zoe@-exemple.ca',
  'zoe@exemple-.ca',
  `zoe@a${label}.ca`,
  'zoe@exem_ple.ca',
  'zoe@exemple.ca.',
  'zoe roy@exemple.ca',
  'zoe@exem ple.ca',
  'zoe@exemple.ca,b@exemple.ca',
  'zoe@exemple.ca;b@exemple.ca',
  'a@b@exemple.ca',
  '"zoe roy"@exemple.ca',
  'zoé@exemple.ca',
  '<zoe@exemple.ca>',
  'Zoé <zoe@exemple.ca>',
  'zoe@[127.0.0.1]',
  'zoe@exemple.ca\nBcc: b@exemple.ca',
  'zoe@exemple.ca\r\n',
  'zoe@exemple.ca\u2028',
  'zoe@exemple.québec/chemin',
  'zoe@é.ca:25',
  'zoe@é.ca?x',
  'zoe@é.ca#x',
  'zoe@é\\.ca',
  'zoe@é%2e.ca',
  'mailto:zoe@exemple.ca',
])('%j is none', (address) => {
  expect(isEmail(address)).toBe(false)
})

test('an international domain may be as long as any, before it is composed too', () => {
  const labels = `${'u\u031b\u0300'.repeat(50)}.`.repeat(4)
  expect(isEmail(`a@${labels}ca`)).toBe(true)
  expect(isEmail(`a@${'é.'.repeat(600)}ca`)).toBe(false)
})

test('whatever a browser’s own field refuses in ASCII is refused', () => {
  // The pattern of https://html.spec.whatwg.org/#valid-e-mail-address
  const html =
    /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/
  const signs = ['a', 'Z', '0', '.', '-', '@', '_', '+', ' ', '%', '"', '(', ':', '[']
  let agreed = 0
  for (let seed = 0; seed < 20_000; seed += 1) {
    const length = 3 + (seed % 6)
    let rest = seed * 7919
    let address = ''
    for (let index = 0; index < length; index += 1) {
      address += signs[rest % signs.length]
      rest = Math.floor(rest / signs.length) + index
    }
    const [, domain = ''] = address.split('@')
    const expected = html.test(address) && domain.includes('.')
    if (isEmail(address) !== expected) throw new Error(`differs: ${address}`)
    if (expected) agreed += 1
  }
  expect(agreed).toBeGreaterThan(0)
})
