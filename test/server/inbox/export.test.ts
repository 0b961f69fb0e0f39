import fc from 'fast-check'
import { formatCell, formatCsv } from '../../../server/inbox/command/export.ts'
import { createStored } from '../../support/inbox.ts'

/** Reads cells as Excel does: a quote at the start of a cell opens a quoted one, in which two quotes stand for one. */
function readCsv(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === separator) endCell()
    else if (character === '\n' || character === '\r') {
      if (character === '\r' && text.charAt(at + 1) === '\n') at += 1
      endCell()
      rows.push([])
    } else cell += character
  }
  endCell()
  return rows
}

/** Excel calculates a cell that starts so, perhaps after blanks and characters that show nothing. */
const FORMULA = /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠]/u

const text = fc
  .array(
    fc.constantFrom(
      ...['=', '+', '-', '@', '＝', '"', "'", ',', ';', '\t', '\r', '\n', '\r\n', ' ', '\u00a0'],
      ...[
        '\u200e',
        '\u200b',
        '\ufeff',
        '\u00ad',
        '\u3164',
        '\u2800',
        'é',
        'HYPERLINK("x")',
        '1',
        'a',
      ],
    ),
    { maxLength: 12, size: 'max' },
  )
  .map((pieces) => pieces.join(''))

test('Excel reads every cell as it was typed, but for an apostrophe, and calculates none', () => {
  const separator = fc.constantFrom(',', ';', '\t')
  fc.assert(
    fc.property(text, text, separator, (firstName, message, separator) => {
      const stored = createStored({ firstName, message })
      const csv = formatCsv([stored], separator)
      expect(csv.startsWith('\uFEFF')).toBe(true)
      const [titles = [], cells = [], ...rest] = readCsv(csv.slice(1), separator)
      expect([titles.length, cells.length, rest]).toEqual([10, 10, [['']]])
      const read = (name: string) => cells[titles.indexOf(name)] ?? ''
      const removeGuards = (value: string) => value.replaceAll("'", '')
      expect(removeGuards(read('firstName'))).toBe(removeGuards(firstName))
      expect(removeGuards(read('message'))).toBe(removeGuards(message))
      expect(read('email')).toBe(stored.email)
      // Somebody may open the file with another separator.
      for (const other of [',', ';', '\t']) {
        for (const cell of readCsv(csv.slice(1), other).flat()) expect(cell).not.toMatch(FORMULA)
      }
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['=1+1', `'=1+1`],
  [' =HYPERLINK("x")', `"' =HYPERLINK(""x"")"`],
  ['\u200e@SUM(1)', "'\u200e@SUM(1)"],
  ['x; =1', `"x;' =1"`],
  ['x\n@A1', `"x\n'@A1"`],
  ['a=b c-d e+f', 'a=b c-d e+f'],
  ['zoe@exemple.ca', 'zoe@exemple.ca'],
  ['L’Écuyer-O’Neil', 'L’Écuyer-O’Neil'],
])('%j is written as %j', (typed, cell) => {
  expect(formatCell(typed)).toBe(cell)
})
