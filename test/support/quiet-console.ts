import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest } from '@jest/globals'

// Processes that the tests start compile the sources once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled')

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
