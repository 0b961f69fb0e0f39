import { jest } from '@jest/globals'
import { InboxUnavailable } from '../../../server/inbox/inbox.ts'
import { startRetention } from '../../../server/inbox/retention.ts'
import { HOUR_MS, PERIODS } from '../../support/inbox.ts'

const MINUTE = 60_000

describe('retention', () => {
  let retention: ReturnType<typeof startRetention> | undefined
  let batches: ({ messages: number; more: boolean } | Error)[]
  let done: string[]
  let isLocked: boolean

  beforeEach(() => {
    jest.useFakeTimers()
    batches = []
    done = []
    isLocked = false
  })
  afterEach(() => {
    retention?.stop()
    jest.useRealTimers()
  })

  const inbox = {
    async purge() {
      done.push('purge')
      const batch = batches.shift() ?? { messages: 0, more: false }
      if (batch instanceof Error) throw batch
      return batch
    },
    async scrub() {
      done.push('scrub')
      if (isLocked) throw new InboxUnavailable('locked')
      return 'scrubbed' as const
    },
    async audit(action: string, subject: string) {
      done.push(`${action}: ${subject}`)
    },
  }

  async function pass(time: number): Promise<string[]> {
    done = []
    await jest.advanceTimersByTimeAsync(time)
    return done
  }

  test('erases at the start, in batches, then every hour', async () => {
    batches = [
      { messages: 200, more: true },
      { messages: 0, more: true },
      { messages: 7, more: false },
    ]
    retention = startRetention({ inbox, periods: PERIODS })
    const all = ['purge', 'purge', 'purge', 'scrub', 'retention: 207 messages']
    await jest.advanceTimersByTimeAsync(0)
    expect(done).toEqual(all)
    expect(await pass(HOUR_MS - 1)).toEqual([])
    expect(await pass(1)).toEqual(['purge'])
    batches = [{ messages: 1, more: false }]
    expect(await pass(HOUR_MS)).toEqual(['purge', 'scrub', 'retention: 1 messages'])
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

  test('after a failure, removes and counts all that was erased before it', async () => {
    batches = [{ messages: 200, more: true }, new InboxUnavailable('locked')]
    retention = startRetention({ inbox, periods: PERIODS })
    await jest.advanceTimersByTimeAsync(0)
    isLocked = true
    batches = [{ messages: 7, more: false }]
    expect(await pass(MINUTE)).toEqual(['purge', 'scrub'])
    isLocked = false
    expect(await pass(MINUTE)).toEqual(['purge', 'scrub', 'retention: 207 messages'])
  })

  test('stops', async () => {
    retention = startRetention({ inbox, periods: PERIODS })
    await jest.advanceTimersByTimeAsync(0)
    retention.stop()
    expect(await pass(10 * HOUR_MS)).toEqual([])
  })
})
