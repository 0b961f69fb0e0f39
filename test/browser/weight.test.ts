import { pages } from '../../shared/pages.ts'
import { findGrowth, readWeights } from '../support/weight.ts'

const { budgets } = readWeights()

test('no budget is above what the site promises', () => {
  expect(budgets['/']).toBeLessThanOrEqual(85_000)
  expect(budgets['/contact']).toBeLessThanOrEqual(105_000)
  expect(Object.keys(budgets).sort()).toEqual(pages.flatMap(({ path }) => path ?? []).sort())
})

test('a module that grows or comes in is named, the one that grew most first', () => {
  const before = { react: 100, router: 50, 'client/app.tsx': 10 }
  const after = { react: 101, router: 50, 'client/app.tsx': 9, lodash: 500 }
  expect(findGrowth(after, before)).toEqual([
    'lodash: new, +500 characters',
    'react: +1 characters',
  ])
})
