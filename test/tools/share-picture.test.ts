import { fitLines } from '../../tools/vite/share-picture.tsx'

const measure = (text: string, size: number) => text.length * size
const layOut = (text: string, sizes: number[], maxWidth: number, maxLines: number) =>
  fitLines(text, { sizes, maxWidth, maxLines, measure })

test.each([
  ['one two', 10, ['one two']],
  ['aaaa bb cc', 10, ['aaaa bb cc']],
  ['aaaa bb cc d', 10, ['aaaa bb', 'cc d']],
  ['aaaa bbbb cccc dddd eeee', 5, ['aaaa bbbb cccc', 'dddd eeee']],
])('%s is set at the largest size that fits, in balanced lines', (text, size, lines) => {
  expect(layOut(text, [10, 5], 100, 2)).toEqual({ size, lines })
})

test('a no-break space does not break', () => {
  expect(layOut('a b\u00a0c', [10], 40, 3).lines).toEqual(['a', 'b\u00a0c'])
})

test('a text that fits at no size is set at the smallest', () => {
  expect(layOut('immense', [10, 5], 10, 1).size).toBe(5)
})
