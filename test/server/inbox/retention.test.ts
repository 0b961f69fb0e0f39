import { jest } from '@jest/globals'
import { InboxUnavailable } from '../../../server/inbox/inbox.ts'
import { startRetention } from '../../../server/inbox/retention.ts'
import { createLines } from '../../support/fake-mailer.ts'
import { HOUR_MS, PERIODS } from '../../support/inbox.ts'

const MINUTE = 60_000

let retention: ReturnType<typeof startRetention>
let lines: ReturnType<typeof createLines>['lines']
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
  retention.stop()
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

function start(): Promise<string[]> {
  const kept = createLines()
  lines = kept.lines
  retention = startRetention({ inbox, periods: PERIODS, log: kept.log })
  return pass(0)
}

test('erases at the start, in batches, then every hour', async () => {
  batches = [Array(200).fill('messages'), ['messages', 'hits']]
  expect(await start()).toEqual(['purge', 'purge', 'scrub'])
  expect(lines.map(([, , details]) => details)).toEqual([{ count: 200 }, { count: 1 }])
  expect(await pass(HOUR_MS - 1)).toEqual([])
  expect(await pass(1)).toEqual(['purge'])
  batches = [['receipts']]
  expect(await pass(HOUR_MS)).toEqual(['purge', 'scrub'])
  expect(lines).toHaveLength(2)
  retention.stop()
  expect(await pass(10 * HOUR_MS)).toEqual([])
})

test('tries again after a minute when the store is unavailable, without a log line', async () => {
  batches = [new InboxUnavailable('locked')]
  await start()
  expect(await pass(MINUTE - 1)).toEqual([])
  batches = [new Error('broken')]
  expect(await pass(1)).toEqual(['purge'])
  const text = 'erasing of expired messages failed before its end; it will be retried'
  expect(lines).toEqual([['warn', text, { err: new Error('broken') }]])
})

test('scrubs later what it could not scrub', async () => {
  batches = [Array(200).fill('messages'), new InboxUnavailable('locked')]
  await start()
  scrubbing = 'locked'
  expect(await pass(MINUTE)).toEqual(['purge', 'scrub'])
  scrubbing = 'busy'
  expect(await pass(MINUTE)).toEqual(['purge', 'scrub'])
  scrubbing = 'scrubbed'
  expect(await pass(HOUR_MS)).toEqual(['purge', 'scrub'])
  expect(await pass(HOUR_MS)).toEqual(['purge'])
})

test('corrects times in the future every hour, and says so', async () => {
  await start()
  expect(lines).toEqual([])
  wrongTimes = 3
  await pass(HOUR_MS)
  const text = 'stored times were in the future and are corrected; check the clock'
  expect(lines).toEqual([['warn', text, { count: 3 }]])
})
