import fc from 'fast-check'
import { writeRequest } from '../../harness/raw-client.ts'
import { damage } from './inputs.ts'

const JSON_BODY = '{"firstName":"Zoé","lastName":"Roy","email":"z@y.ca","message":"Bonjour à tous"}'
const FORM_BODY = 'firstName=Zo%C3%A9&lastName=Roy&email=z%40y.ca&message=Bonjour+a+tous'

/** Placeholder that the proof replaces by a new visitor's address. */
export const ADDRESS = 'ADDRESS'

type Headers = Record<string, string | number>

const write = (method: string, path: string, headers: Headers = {}, body = '') =>
  writeRequest(
    method,
    path,
    { Connection: undefined, 'X-Forwarded-For': ADDRESS, ...headers },
    Buffer.from(body).toString('latin1'),
  )

const post = (path: string, type: string, body: string) =>
  write('POST', path, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }, body)

const CHUNKED = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }

const WHOLE = [
  write('GET', '/'),
  write('GET', '/services?lang=en', { 'Accept-Encoding': 'gzip, br', Cookie: 'rg-language=en' }),
  write('HEAD', '/contact', { Connection: 'keep-alive', 'If-None-Match': 'W/"x"' }),
  write('OPTIONS', '*'),
  write('GET', 'http://localhost/icon.svg', { Range: 'bytes=0-9' }),
  post('/api/contact', 'application/json', JSON_BODY),
  post('/contact', 'application/x-www-form-urlencoded', FORM_BODY),
  post('/api/client-errors', 'application/json', '{"message":"x"}'),
  write('POST', '/api/contact', CHUNKED, '2\r\n{}\r\n0\r\n\r\n'),
  write('POST', '/contact', { Expect: '100-continue', 'Content-Length': 1 }, 'x'),
  write('GET', '/') + write('GET', '/livez'),
]

const TOKENS = [
  ...['', '\r\n', '\n', '\r', '\0', ' ', '\t', ':', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'GET /'],
  ...['TRACE ', 'CONNECT ', 'http://[::1', '//', '/%zz', '0\r\n\r\n', '5;a=b\r\n'],
  'FFFFFFFFFFFFFFFF\r\n',
  'Host: evil.example\r\n',
  ...['5', '-1', '99999999999999999999'].map((length) => `Content-Length: ${length}\r\n`),
  ...[': ', ': gzip, ', ' : '].map((start) => `Transfer-Encoding${start}chunked\r\n`),
  'Expect: 200-maybe\r\n',
  'Connection: Upgrade\r\nUpgrade: websocket\r\n',
  'Connection: close\r\n',
  'Upgrade: h2c\r\n',
  'X: \x80\xff\r\n',
  `X: ${'x'.repeat(17_000)}\r\n`,
  'X: 1\r\n'.repeat(150),
  ' folded: 1\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00',
]

/** One or two well-formed requests, as latin1, with up to four changes. */
export const rawRequest = damage(fc.constantFrom(...WHOLE), TOKENS)
