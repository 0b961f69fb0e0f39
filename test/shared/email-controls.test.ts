import { isEmail } from '../../shared/contact.ts'

test.each([
  ['a@exemple.ca\0'],
  ['a@exemple.québec\0'],
  ['a@exemple.québec\u001f'],
  ['a@exemple.ca\n'],
])('%j is no e-mail address, although a URL would drop its last sign', (address) => {
  expect(isEmail(address)).toBe(false)
})
