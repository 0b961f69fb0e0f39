import { writeCookie } from '../../shared/cookie.ts'

test.each([
  [false, 'rg-language=fr; Max-Age=31536000; Path=/; SameSite=Lax'],
  [true, 'rg-language=fr; Max-Age=31536000; Path=/; SameSite=Lax; Secure'],
])('a choice is kept for a year, and sent securely: %s', (secure, cookie) => {
  expect(writeCookie('rg-language', 'fr', secure)).toBe(cookie)
})
