import { loadConfig } from '../../../server/config/config.ts'

const MAIL = { MAIL_FROM: 'site@example.ca', MAIL_TO: 'info@example.ca' }
const load = (url: string) => loadConfig({ ...MAIL, SMTP_URL: url }).mail?.server

test.each([
  ['smtps://mail.example.ca', { host: 'mail.example.ca', port: 465, tls: 'implicit' }],
  ['smtp://mail.example.ca', { host: 'mail.example.ca', port: 587, tls: 'starttls' }],
  ['smtp://mail.example.ca:25/?tls=off', { host: 'mail.example.ca', port: 25, tls: 'off' }],
  ['smtp://localhost:1025', { host: 'localhost', port: 1025, tls: 'off' }],
  ['smtp://127.0.0.2', { host: '127.0.0.2', port: 587, tls: 'off' }],
  ['smtp://[::1]:25', { host: '::1', port: 25, tls: 'off' }],
  ['smtp://127.0.0.1.example.ca', { host: '127.0.0.1.example.ca', port: 587, tls: 'starttls' }],
  ['smtps://localhost', { host: 'localhost', port: 465, tls: 'implicit' }],
])('%s', (url, server) => {
  expect(load(url)).toEqual(server)
})

test('a user and a password may hold encoded signs', () => {
  const auth = { user: 'me@example.ca', pass: 'p:%/é' }
  expect(load('smtps://me%40example.ca:p%3A%25%2F%C3%A9@mail.example.ca')?.auth).toEqual(auth)
})

test.each([
  'https://secret:secret@mail.example.ca',
  'mail.example.ca',
  'smtps://',
  'smtps://secret@mail.example.ca',
  'smtps://:secret@mail.example.ca',
  'smtps://user:secret%@mail.example.ca',
  'smtps://user:secret@mail.example.ca?tls=off',
  'smtp://user:secret@mail.example.ca?tls=no',
  'smtps://user:sec/ret@mail.example.ca',
  'smtps://user:secret@exämple.ca',
])('%s is refused and not repeated', (url) => {
  const parse = () => load(url)
  expect(parse).toThrow(/^The environment is not usable:\n {2}SMTP_URL \S.*$/)
  expect(parse).not.toThrow(/secret/)
})

test.each([
  'a@example.ca, b@example.ca',
  'Info <info@example.ca>',
  'info',
  'info@localhost',
  'info@exämple.ca',
  'info@example.ca\nBcc: b@example.ca',
])('MAIL_TO must be one address, not %j', (address) => {
  expect(() => loadConfig({ ...MAIL, SMTP_URL: 'smtp://localhost', MAIL_TO: address })).toThrow(
    /MAIL_TO is not one address/,
  )
})

test('all three or none; every fault is named', () => {
  expect(loadConfig({ SMTP_URL: '', MAIL_TO: '' }).mail).toBeUndefined()
  expect(() => loadConfig({ MAIL_TO: 'no one', PORT: 'x' })).toThrow(
    /PORT .*\n.*MAIL_TO is not.*\n {2}SMTP_URL is missing.*\n {2}MAIL_FROM is missing/,
  )
})
