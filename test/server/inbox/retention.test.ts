import { jest } from '@jest/globals'
import { InboxUnavailable } from '../../../server/inbox/inbox-errors.ts'
import { startRetention } from '../../../server/inbox/retention.ts'
import type { Scrubbing } from '../../../server/inbox/session.ts'
import { createLines } from '../../support/fake-mailer.ts'
import { HOUR_MS, PERIODS } from '../../support/inbox.ts'

const MINUTE = 60_000
const LOCKED = new InboxUnavailable('locked')

let retention: ReturnType<typeof startRetention>
beforeEach(() => jest.useFakeTimers())
afterEach(() => {
  retention.stop()
  jest.useRealTimers()
})

/** Starts the retention of an inbox that answers each purge and each scrub with the next of these. */
function start(batches: (string[] | Error)[], scrubbings: (Scrubbing | Error)[] = []) {
  const { lines, log } = createLines()
  const wrongTimes = [0]
  let done: string[] = []
  const note = async <Value>(name: string, answer: Value | Error) => {
    done.push(name)
    if (answer instanceof Error) throw answer
    return answer
  }
  const inbox = {
    repairTimes: async () => wrongTimes.shift() ?? 0,
    purge: () => note('purge', batches.shift() ?? []),
    scrub: () => note('scrub', scrubbings.shift() ?? 'scrubbed'),
  }
  retention = startRetention({ inbox, periods: PERIODS, log })
  const pass = async (time: number) => {
    done = []
    await jest.advanceTimersByTimeAsync(time)
    return done
  }
  return { lines, wrongTimes, pass }
}

test('erases at the start, in batches, then every hour; corrects times in the future', async () => {
  const batches = [Array(200).fill('messages'), ['messages', 'hits'], [], ['receipts']]
  const { lines, wrongTimes, pass } = start(batches)
  expect(await pass(1)).toEqual(['purge', 'purge', 'scrub'])
  expect(lines.map(([, , details]) => details)).toEqual([{ count: 200 }, { count: 1 }])
  expect(await pass(HOUR_MS - 2)).toEqual([])
  expect(await pass(1)).toEqual(['purge'])
  wrongTimes.push(3)
  expect(await pass(HOUR_MS)).toEqual(['purge', 'scrub'])
  const text = 'stored times were in the future and are corrected; check the clock'
  expect(lines.slice(2)).toEqual([['warn', text, { count: 3 }]])
  retention.stop()
  expect(await pass(10 * HOUR_MS)).toEqual([])
})

test('tries again after a minute, and scrubs until it could; logs no unavailable store', async () => {
  const batches = [LOCKED, new Error('broken'), Array(200).fill('messages'), LOCKED]
  const { lines, pass } = start(batches, [LOCKED, 'busy'])
  expect(await pass(MINUTE - 1)).toEqual(['purge'])
  expect(lines).toEqual([])
  expect(await pass(1)).toEqual(['purge'])
  const text = 'regular erasing of expired messages failed; it will be retried'
  expect(lines).toEqual([['warn', text, { err: new Error('broken') }]])
  expect(await pass(MINUTE)).toEqual(['purge', 'purge'])
  for (const _ of ['locked', 'busy']) expect(await pass(MINUTE)).toEqual(['purge', 'scrub'])
  expect(await pass(HOUR_MS)).toEqual(['purge', 'scrub'])
  expect(await pass(HOUR_MS)).toEqual(['purge'])
})
