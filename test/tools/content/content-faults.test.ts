import {
  findShapeFaults,
  findTypographyFaults,
  listTexts,
} from '../../../tools/content/content-faults.ts'

const NBSP = '\u00a0'

describe('typography', () => {
  test.each([
    ['fr', 'l’équipe'],
    ['fr', `Note${NBSP}: deux points`],
    ['fr', `de 9${NBSP}h à 17${NBSP}h, dans {minutes}${NBSP}min`],
    ['fr', `10${NBSP}%, 5${NBSP}$, 10${NBSP}000`],
    ['fr', `«${NBSP}guillemets${NBSP}»`],
    ['fr', 'Vraiment? Oui! Bien; merci.'],
    ['fr', 'https://exemple.ca'],
    ['fr', 'à 10:30'],
    ['fr', "Une erreur s'est produite lors de l'envoi du message. Veuillez réessayer."],
    ['en', 'Note: it’s 10% of $5'],
    ['en', '“quoted” – dash — dash'],
  ] as const)('in %s nothing is wrong with: %s', (language, text) => {
    expect(findTypographyFaults(text, language)).toEqual([])
  })

  test.each([
    ['fr', "l'équipe", 'apostrophe'],
    ['en', "it's", 'apostrophe'],
    ['en', '"quoted"', 'quotation'],
    ['fr', 'Note: deux points', 'colon'],
    ['fr', 'Note : deux points', 'colon'],
    ['fr', 'Note :', 'colon'],
    ['fr', '10%', '%'],
    ['fr', '5 $', '$'],
    ['fr', 'à 9 h', 'and h'],
    ['fr', 'à 9h', 'and h'],
    ['fr', 'dans {minutes} min', 'or min'],
    ['fr', '« trop large »', 'inside'],
    ['fr', '«serré»', 'inside'],
    ['fr', 'Vraiment ?', 'no space before'],
    ['fr', `Oui${NBSP}!`, 'no space before'],
    ['fr', '10 000', 'thousands'],
    ['en', 'two  spaces', 'double'],
    ['en', ' before', 'start'],
    ['en', 'after ', 'start'],
    ['fr', 'fine\u202f!', 'fonts'],
    ['en', 'a → b', 'fonts'],
    ['en', '', 'empty'],
  ] as const)('in %s something is wrong with: %j', (language, text, word) => {
    expect(findTypographyFaults(text, language).join()).toContain(word)
  })

  test('French rules do not hold for English', () => {
    expect(findTypographyFaults('at 9 h: 10%', 'en')).toEqual([])
  })
})

test('every text is listed with its key', () => {
  expect(listTexts({ a: 'x', b: [{ c: 'y' }, 'z'], d: { e: '' } })).toEqual([
    ['a', 'x'],
    ['b[0].c', 'y'],
    ['b[1]', 'z'],
    ['d.e', ''],
  ])
})

describe('shape', () => {
  test.each([
    [{ a: 'un' }, { a: 'one' }],
    [{ a: ['{x} {y}'] }, { a: ['{y} {x}'] }],
    [{}, {}],
  ])('%j and %j are alike', (french, english) => {
    expect(findShapeFaults(french, english)).toEqual([])
  })

  test.each([
    [{ a: 'un' }, {}, 'en', 'a', 'add it in English'],
    [{}, { a: { b: 'one' } }, 'fr', 'a', 'add it in French'],
    [{ a: 'un' }, { a: ['one'] }, 'en', 'a', 'a list, but a string'],
    [{ a: { b: '{x}' } }, { a: { b: 'x' } }, 'en', 'a.b', 'French has {x}, English has none'],
    [{ a: ['1', '2'] }, { a: ['1'] }, 'en', 'a', '2 in French and 1 in English'],
    [{ a: [{ b: '1' }] }, { a: [{}] }, 'en', 'a[0].b', 'add it in English'],
  ])('%j and %j are not', (french, english, language, key, advice) => {
    const faults = findShapeFaults(french, english)
    expect(faults).toEqual([[language, key, expect.stringContaining(advice)]])
  })
})
