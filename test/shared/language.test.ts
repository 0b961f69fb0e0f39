import { chooseLanguage, findLanguage, otherLanguage } from '../../shared/language.ts'

test.each([
  ['fr', 'fr'],
  ['en', 'en'],
  ['FR', undefined],
  ['en-CA', undefined],
  ['', undefined],
  [undefined, undefined],
  [null, undefined],
  [['en'], undefined],
  [{ toString: (): string => 'en' }, undefined],
])('%j is the language %s', (value, language) => {
  expect(findLanguage(value)).toBe(language)
})

test.each([
  [[], 'fr'],
  [['de', undefined, 'en', 'fr'], 'en'],
  [['fr', 'en'], 'fr'],
  [[0, {}, ['en']], 'fr'],
])('of %j, the first language is chosen', (candidates, language) => {
  expect(chooseLanguage(...candidates)).toBe(language)
})

test('the other language', () => {
  expect([otherLanguage('fr'), otherLanguage('en')]).toEqual(['en', 'fr'])
})
