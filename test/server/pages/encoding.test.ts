import { chooseEncoding } from '../../../server/pages/encoding.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['x-br, gzip', 'gzip'],
  ['brotli', 'identity'],
  ['brotli, br, br', 'br'],
  ['br, x-br;q=0', 'br'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['BR', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['gzip;q=0.1, identity;q=0.9', 'identity'],
  ['deflate', 'identity'],
  ['br;q=x', 'identity'],
])('Accept-Encoding %j gets %s', (header, expected) => {
  expect(chooseEncoding(header)).toBe(expected)
})

test('only an available encoding is chosen', () => {
  expect(chooseEncoding('br, gzip', ['gzip', 'identity'])).toBe('gzip')
})
