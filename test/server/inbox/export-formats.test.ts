import { formatCell } from '../../../server/inbox/command/export-formats.ts'

test.each([
  ['=1+1', `'=1+1`],
  ['\t=1', `'\t'=1`],
  ['x;=1+1', `x;'=1+1`],
  ['x,+1', `"x,'+1"`],
  ['x\t-1', `x\t'-1`],
  ['x\n@A1', `"x\n'@A1"`],
  ['x\r\n=1', `"x\r\n'=1"`],
  ['x\r=1', `"x\r'=1"`],
  ['x;"=1"', `"x;""'=1"""`],
  ['"=1"', `"""'=1"""`],
  [';;＝1;-', `;;'＝1;'-`],
  ['=;=', `'=;'=`],
])('no spreadsheet runs %j, with any separator', (text, cell) => {
  expect(formatCell(text)).toBe(cell)
})

test.each([
  ['a=b; c-d, e+f', '"a=b; c-d, e+f"'],
  ['zoe@exemple.ca', 'zoe@exemple.ca'],
  ['L’Écuyer-O’Neil', 'L’Écuyer-O’Neil'],
])('%j stays unchanged', (text, cell) => {
  expect(formatCell(text)).toBe(cell)
})
