import { fitLines } from '../../tools/vite/line-breaking.ts'

const measure = (text: string, size: number) => text.length * size

test('a text stands at the largest size that fits, its lines balanced', () => {
  const room = { width: 100, lines: 2 }
  expect(fitLines('one two', [10, 5], room, measure)).toMatchObject({
    size: 10,
    lines: ['one two'],
  })
  expect(fitLines('aaaa bb cc', [10, 5], room, measure).lines).toEqual(['aaaa bb cc'])
  expect(fitLines('aaaa bb cc d', [10, 5], room, measure).lines).toEqual(['aaaa bb', 'cc d'])
  expect(fitLines('aaaa bbbb cccc dddd eeee', [10, 5], room, measure).size).toBe(5)
})

test('a no-break space holds', () => {
  const { lines } = fitLines('a b\u00a0c', [10], { width: 40, lines: 3 }, measure)
  expect(lines).toEqual(['a', 'b\u00a0c'])
})

test('what fits at no size is written at the smallest', () => {
  expect(fitLines('immense', [10, 5], { width: 10, lines: 1 }, measure).size).toBe(5)
})
