import { jest } from '@jest/globals'
import { InboxUnavailable } from '../../../server/inbox/inbox.ts'
import { startRetention } from '../../../server/inbox/retention.ts'
import { HOUR_MS, PERIODS } from '../../support/inbox.ts'

const MINUTE = 60_000

let retention: ReturnType<typeof startRetention> | undefined
let batches: (string[] | Error)[]
let done: string[]
let scrubbing: 'scrubbed' | 'busy' | 'locked'
let wrongTimes: number

beforeEach(() => {
  jest.useFakeTimers()
  batches = []
  done = []
  scrubbing = 'scrubbed'
  wrongTimes = 0
})
afterEach(() => {
  retention?.stop()
  jest.useRealTimers()
})

const inbox = {
  async repairTimes() {
    return wrongTimes
  },
  async purge() {
    done.push('purge')
    const batch = batches.shift() ?? []
    if (batch instanceof Error) throw batch
    return batch
  },
  async scrub() {
    done.push('scrub')
    if (scrubbing === 'locked') throw new InboxUnavailable('locked')
    return scrubbing
  },
}

async function pass(time: number): Promise<string[]> {
  done = []
  await jest.advanceTimersByTimeAsync(time)
  return done
}

test('erases at the start, in batches, then every hour', async () => {
  batches = [Array(200).fill('messages'), ['messages', 'hits']]
  const info = jest.fn()
  const log = { info, warn: info, error: info }
  retention = startRetention({ inbox, periods: PERIODS, log })
  await jest.advanceTimersByTimeAsync(0)
  expect(done).toEqual(['purge', 'purge', 'scrub'])
  expect(info.mock.calls.map(([details]) => details)).toEqual([{ count: 200 }, { count: 1 }])
  expect(await pass(HOUR_MS - 1)).toEqual([])
  expect(await pass(1)).toEqual(['purge'])
  batches = [['receipts']]
  expect(await pass(HOUR_MS)).toEqual(['purge', 'scrub'])
  expect(info).toHaveBeenCalledTimes(2)
})

test('tries again after a minute when the store is unavailable, without a log line', async () => {
  batches = [new InboxUnavailable('locked')]
  const warn = jest.fn()
  const log = { info: warn, warn, error: warn }
  retention = startRetention({ inbox, periods: PERIODS, log })
  await jest.advanceTimersByTimeAsync(0)
  expect(await pass(MINUTE - 1)).toEqual([])
  batches = [new Error('broken')]
  expect(await pass(1)).toEqual(['purge'])
  expect(warn.mock.calls).toEqual([
    [
      { err: new Error('broken') },
      'erasing of expired messages failed before its end; it will be retried',
    ],
  ])
})

test('scrubs later what it could not scrub', async () => {
  batches = [Array(200).fill('messages'), new InboxUnavailable('locked')]
  retention = startRetention({ inbox, periods: PERIODS })
  await jest.advanceTimersByTimeAsync(0)
  scrubbing = 'locked'
  expect(await pass(MINUTE)).toEqual(['purge', 'scrub'])
  scrubbing = 'busy'
  expect(await pass(MINUTE)).toEqual(['purge', 'scrub'])
  scrubbing = 'scrubbed'
  expect(await pass(HOUR_MS)).toEqual(['purge', 'scrub'])
  expect(await pass(HOUR_MS)).toEqual(['purge'])
})

test('corrects times in the future every hour, and says so', async () => {
  const warn = jest.fn()
  retention = startRetention({ inbox, periods: PERIODS, log: { info: warn, warn, error: warn } })
  await pass(0)
  expect(warn).not.toHaveBeenCalled()
  wrongTimes = 3
  await pass(HOUR_MS)
  const text = 'stored times were in the future and are corrected; check the clock'
  expect(warn.mock.calls).toEqual([[{ count: 3 }, text]])
})

test('stops', async () => {
  retention = startRetention({ inbox, periods: PERIODS })
  await jest.advanceTimersByTimeAsync(0)
  retention.stop()
  expect(await pass(10 * HOUR_MS)).toEqual([])
})
