import { afterEach, beforeEach, expect, jest } from '@jest/globals'

const LEVELS = ['error', 'warn'] as const

/** Console errors and warnings fail a test. */
let spies: jest.SpiedFunction<typeof console.error>[] = []

beforeEach(() => {
  spies = LEVELS.map((level) => jest.spyOn(console, level))
})

afterEach(() => {
  const calls = spies.flatMap(({ mock }) => mock.calls)
  for (const spy of spies) spy.mockRestore()
  expect(calls).toEqual([])
})
