import { jest } from '@jest/globals'
import { createMessage, type TestInbox } from '../../support/inbox.ts'
import { createPostgresPlace, setUpPlace, setUpPostgres } from './places.ts'

const MINUTE = 60_000
const LEASE = { limit: 10, leaseMs: 5 * MINUTE }
const WINDOW = { limit: 2, windowMs: 5 * MINUTE }

const server = setUpPostgres()
const place = setUpPlace(() => createPostgresPlace(server))

const { now } = Date

/** Runs work on a machine whose clock is wrong by `error` ms. */
async function atClock<Value>(error: number, work: () => Promise<Value>): Promise<Value> {
  const spy = jest.spyOn(Date, 'now').mockImplementation(() => now() + error)
  try {
    return await work()
  } finally {
    spy.mockRestore()
  }
}

describe.each([
  ['ahead', 10 * MINUTE],
  ['behind', -10 * MINUTE],
])('two machines over one PostgreSQL, one of them ten minutes %s', (_, error) => {
  let right: TestInbox
  let wrong: TestInbox
  beforeEach(() => {
    right = place.open()
    wrong = place.open()
  })

  type Work<Value> = (inbox: TestInbox) => Promise<Value>
  const onRight = <Value>(work: Work<Value>) => work(right)
  const onWrong = <Value>(work: Work<Value>) => atClock(error, () => work(wrong))

  test.each([
    ['the right one', onRight, onWrong],
    ['the wrong one', onWrong, onRight],
  ])('lease a mail to one of them, here to %s first', async (_name, onFirst, onSecond) => {
    for (const [turn, on] of [onRight, onWrong].entries()) {
      const message = createMessage({ message: `Message kept on turn ${turn}` })
      await on((inbox) => inbox.keep(message))
    }
    expect(await onFirst((inbox) => inbox.lease(LEASE))).toHaveLength(2)
    expect(await onSecond((inbox) => inbox.lease(LEASE))).toEqual([])
    for (const on of [onRight, onWrong]) {
      const rest = Number(await on((inbox) => inbox.nextDueIn()))
      expect(rest > 4 * MINUTE && rest <= LEASE.leaseMs).toBe(true)
    }
  })

  test('wait for the given time before they try again', async () => {
    await onRight((inbox) => inbox.keep(createMessage()))
    const [mail] = await onWrong((inbox) => inbox.lease(LEASE))
    if (!mail) throw new Error('no mail is due')
    const later = { kind: 'later', afterMs: 8 * MINUTE, error: '451' } as const
    await onWrong((inbox) => inbox.settle(mail, later))
    expect(await onRight((inbox) => inbox.lease(LEASE))).toEqual([])
    const rest = Number(await onWrong((inbox) => inbox.nextDueIn()))
    expect(rest > 7 * MINUTE && rest <= 8 * MINUTE).toBe(true)
  })

  test('count the hits of an address in one window', async () => {
    let count = 0
    const hit = async (inbox: TestInbox) => {
      const message = createMessage({ message: `Message number ${++count}` })
      const { count: counted, resetInMs } = await inbox.submit(message, WINDOW)
      expect(resetInMs > 4 * MINUTE && resetInMs <= WINDOW.windowMs).toBe(true)
      return counted
    }
    expect([await onRight(hit), await onWrong(hit)]).toEqual([1, 2])
    expect([await onWrong(hit), await onRight(hit)]).toEqual([3, 3])
  })

  test('stamp a message by the clock of the database', async () => {
    const { receivedAt } = await onWrong((inbox) => inbox.keep(createMessage()))
    expect(Math.abs(Date.parse(receivedAt) - now())).toBeLessThan(MINUTE)
    const waited = await onWrong(async (inbox) => (await inbox.measure()).queued.waitedMs)
    expect(Number(waited)).toBeLessThan(MINUTE)
  })
})
