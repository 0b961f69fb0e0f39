import { toMinutes } from '../../shared/problems.ts'

test.each([
  ['1', 1],
  ['60', 1],
  ['61', 2],
  ['1800', 30],
  [null, 1],
  [undefined, 1],
])('a Retry-After of %s is %i min', (retryAfter, minutes) => {
  expect(toMinutes(retryAfter)).toBe(minutes)
})
