import { checkContact, isEmail } from '../../shared/contact-schema.ts'

const NOW = Date.UTC(2026, 4, 4, 12)
const VALID = {
  firstName: 'Zoé',
  lastName: 'Roy',
  email: 'zoe@exemple.ca',
  service: '',
  message: 'Bonjour à tous.',
  formStartTime: String(NOW - 3000),
}

const check = (change: Record<string, unknown> = {}) => checkContact({ ...VALID, ...change }, NOW)
const codes = (change: Record<string, unknown>) => {
  const result = check(change)
  return result.ok ? [] : result.faults.map(({ code }) => code)
}
const accepted = (change: Record<string, unknown>) => {
  const result = check(change)
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return result.request
}

test.each(['', 'public-safety', 'francophone', 'health-safety', 'animal-aid'])(
  'the service “%s” is accepted',
  (service) => expect(accepted({ service }).service).toBe(service),
)

describe('the lengths of the fields', () => {
  test.each([...['a', 'e\u0301', '🐕', '\u03b1\u0313\u0300\u0345']])(
    'count code points once composed: %j',
    (sign) => {
      const longest = sign.repeat(2000)
      expect(codes({ message: sign.repeat(9) })).toEqual(['message-too-short'])
      expect(codes({ message: sign.repeat(10) })).toEqual([])
      expect(accepted({ message: longest }).message).toBe(longest.normalize('NFC'))
      expect(codes({ message: sign.repeat(2001) })).toEqual(['message-too-long'])
      expect(codes({ firstName: sign.repeat(100) })).toEqual([])
      expect(codes({ firstName: sign.repeat(101) })).toEqual(['too-long'])
    },
  )

  test('an e-mail may have 254 and not 255', () => {
    const address = (length: number) => `${'a'.repeat(length - 7)}@exe.ca`
    expect(codes({ email: address(254) })).toEqual([])
    expect(codes({ email: address(255) })).toEqual(['too-long'])
  })

  test('spaces around do not count, those within do', () => {
    expect(codes({ message: `   ${'a'.repeat(9)}   ` })).toEqual(['message-too-short'])
    expect(codes({ message: `a${' '.repeat(8)}b` })).toEqual([])
    expect(codes({ message: ` ${'a'.repeat(2000)} ` })).toEqual([])
    expect(codes({ firstName: `  ${'a'.repeat(100)}  ` })).toEqual([])
  })
})

describe('the time that the form was open', () => {
  test.each([
    [NOW - 3001, true],
    [NOW - 3000, true],
    [NOW - 2999, false],
    [NOW, false],
    [NOW + 1, false],
    [0, true],
  ])('started at %d is late enough: %s', (time, ok) => {
    expect(check({ formStartTime: String(time) }).ok).toBe(ok)
  })

  test.each([undefined, '', '1e3', '0x1', '-1', '1.5', ' 1', '١٢٣', '1\n'])(
    'is invalid: %j',
    (formStartTime) => {
      expect(codes({ formStartTime })).toEqual(['start-time-invalid'])
    },
  )
})

const NAMES = ['firstName', 'lastName']
const BREAKS = ['\r', '\n', '\v', '\f', '\u0085', '\u2028', '\u2029']

test.each<[code: string, fields: string[], values: unknown[]]>([
  [
    'required',
    [...NAMES, 'email', 'message'],
    [undefined, '', ' \t\n\u00a0', '\u0000\u0001', '\u200b\u00ad\u3164', '\u2800'],
  ],
  ['wrong-type', [...NAMES, 'email', 'message', 'service', 'website'], [1, null, false, [], {}]],
  ['wrong-type', ['formStartTime', 'url', 'phone_hidden'], [0, null, ['1'], { text: '1' }]],
  ['line-break', NAMES, BREAKS.map((sign) => `Zoé${sign}Roy`)],
  ['broken-text', [...NAMES, 'message'], ['dix signes \ud800', '\udc00 dix signes']],
  ['unknown-service', ['service'], ['plumbing', 'Francophone', ' ']],
])('%s is the fault of %j with %j', (code, fields, values) => {
  for (const field of fields) {
    for (const value of values) {
      const expected = { ok: false, faults: [{ field, code }] }
      expect({ value, ...check({ [field]: value }) }).toEqual({ value, ...expected })
    }
  }
})

test('faults are in order, one for each field', () => {
  const result = check({
    firstName: 7,
    lastName: 'a\nb',
    email: '',
    service: 'none',
    message: '\ud800'.repeat(12),
    formStartTime: String(NOW),
    website: null,
  })
  expect(result).toEqual({
    ok: false,
    faults: [
      { field: 'formStartTime', code: 'too-fast' },
      { field: 'email', code: 'required' },
      { field: 'firstName', code: 'wrong-type' },
      { field: 'website', code: 'wrong-type' },
      { field: 'service', code: 'unknown-service' },
      { field: 'lastName', code: 'line-break' },
      { field: 'message', code: 'broken-text' },
    ],
  })
})

test('the five rules of the specification come first, in its order', () => {
  expect(codes({ lastName: '', email: 'no', message: 'court' })).toEqual([
    'required',
    'email-invalid',
    'message-too-short',
  ])
  expect(codes({ email: 'no', message: 'x'.repeat(2001), formStartTime: String(NOW) })).toEqual([
    'too-fast',
    'email-invalid',
    'message-too-long',
  ])
})

describe('an e-mail address', () => {
  const label = 'a'.repeat(63)

  test.each([
    ...['zoe@exemple.ca', 'user%x@y.ca', "o'neil+tag@sub.exemple.ca", `a@${label}.ca`, 'a@a--b.c3'],
    ...["!#$%&'*+/=?^_`{|}~-@exemple.ca", '.zo..e.@exemple.ca', '0@0-0.0.ca'],
    // Letters and marks of every script.
    ...['a@exemple.québec', 'a@éxemple.ca', 'a@例え.jp', 'a@उदाहरण.भारत', 'a@пример.рф'],
    ...['a@exe\u0301mple.ca', 'a@דוגמה.ישראל', 'a@مثال.السعودية', 'a@xn--qubec-csa.ca'],
  ])('%s is valid', (address) => {
    expect(isEmail(address)).toBe(true)
  })

  test.each([
    ...['', 'zoe', 'exemple.ca', '@', 'zoe@', '@exemple.ca', 'zoe@exemple', 'zoe@exemple.c'],
    // A mail program would read these domains as IP addresses.
    ...['a@1.2', 'zoe@123.456', 'a@0x7f.1', 'a@127.0.0.1', 'a@１２７.０.０.１', 'a@ex１.ca'],
    ...['zoe@exemple.ca,b@exemple.ca', 'a@b@exemple.ca', 'zoé@exemple.ca', '<zoe@exemple.ca>'],
    ...['Zoé <zoe@exemple.ca>', 'zoe@[127.0.0.1]', 'zoe@exemple.ca\nBcc: b@exemple.ca'],
    ...['zoe@exemple.ca\r\n', 'zoe@exemple.ca\u2028', 'zoe@exemple.québec/chemin'],
    ...['zoe@é.ca:25', 'zoe@é.ca?x', 'zoe@é.ca#x', 'zoe@é\\.ca', 'zoe@é%2e.ca'],
    ...['mailto:zoe@exemple.ca', 'zoe@-a.ca', 'zoe@a-.ca', 'zoe@a..ca', 'zoe@a_b.ca'],
    ...['a@exemple.ca\0', 'a@exemple.québec\0', 'a@exemple.québec\u001f', 'a@exemple.ca\n'],
  ])('%j is invalid', (address) => {
    expect(isEmail(address)).toBe(false)
  })

  test.each([
    ...'–—―‘’“”«»‹›…•°©®™§¶†‰€£¥±×÷≈→←✓★♥☎☺🐕🇨🇦_¿¡、。，！？（）「」',
    ...['½', '²', '①', '〒', '·', '・', '״'],
  ])('punctuation and symbols are no part of a Unicode domain: %s', (sign) => {
    for (const domain of [`mon${sign}exemple.ca`, `exemple.ca${sign}`, `${sign}exemple.québec`])
      expect([domain, isEmail(`zoe@${domain}`)]).toEqual([domain, false])
  })

  // Keyboards, address books and copied pages add them: direction marks and isolates, joiners, soft hyphens, fillers, tags.
  test.each([
    ...['\u200e', '\u200f', '\u061c', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
    ...['\u2066', '\u2067', '\u2068', '\u2069', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'],
    ...['\u00ad', '\u180e', '\u034f', '\u115f', '\u3164', '\uffa0', '\ufe0f', '\u{e0061}'],
  ])('an invisible character is taken out, wherever it is: %j', (sign) => {
    for (const email of [`${sign}zoe@exemple.ca${sign}`, `zo${sign}e@exem${sign}ple.c${sign}a`])
      expect(accepted({ email }).email).toBe('zoe@exemple.ca')
    expect(codes({ email: sign })).toEqual(['required'])
    // It counts for no limit, and hides no other fault.
    expect(codes({ email: `${sign.repeat(300)}zoe@exemple.ca` })).toEqual([])
    expect(codes({ email: `zoe@${sign}exemple` })).toEqual(['email-invalid'])
  })
})
