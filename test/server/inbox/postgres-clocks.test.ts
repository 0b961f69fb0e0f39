import { jest } from '@jest/globals'
import { createMessage, type TestInbox as Inbox } from '../../support/inbox.ts'
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
  let right: Inbox
  let wrong: Inbox
  beforeEach(() => {
    right = place.open()
    wrong = place.open()
  })

  const machines = () => [
    <Value>(work: (inbox: Inbox) => Promise<Value>) => work(right),
    <Value>(work: (inbox: Inbox) => Promise<Value>) => atClock(error, () => work(wrong)),
  ]

  test.each([
    ['the right one', (turn: number) => turn],
    ['the wrong one', (turn: number) => 1 - turn],
  ])('lease a mail to one of them, here to %s first', async (_name, order) => {
    const on = machines()
    for (const turn of [0, 1]) {
      const message = createMessage({ message: `Message kept on turn ${turn}` })
      await on[turn]?.((inbox) => inbox.keep(message))
    }
    const lease = (turn: number) => on[order(turn)]?.((inbox) => inbox.lease(LEASE))
    expect(await lease(0)).toHaveLength(2)
    expect(await lease(1)).toEqual([])
    for (const turn of [0, 1]) {
      const rest = Number(await on[turn]?.((inbox) => inbox.nextDueIn()))
      expect(rest > 4 * MINUTE && rest <= LEASE.leaseMs).toBe(true)
    }
  })

  test('wait for the given time before they try again', async () => {
    const [onRight, onWrong] = machines()
    await onRight?.((inbox) => inbox.keep(createMessage()))
    const [mail] = (await onWrong?.((inbox) => inbox.lease(LEASE))) ?? []
    if (!mail) throw new Error('no mail is due')
    const later = { kind: 'later', afterMs: 8 * MINUTE, error: '451' } as const
    await onWrong?.((inbox) => inbox.settle(mail, later))
    expect(await onRight?.((inbox) => inbox.lease(LEASE))).toEqual([])
    const rest = Number(await onWrong?.((inbox) => inbox.nextDueIn()))
    expect(rest > 7 * MINUTE && rest <= 8 * MINUTE).toBe(true)
  })

  test('count the hits of an address in one window', async () => {
    const [onRight, onWrong] = machines()
    let count = 0
    const hit = async (inbox: Inbox) => {
      const message = createMessage({ message: `Message number ${++count}` })
      const { count: counted, resetInMs } = await inbox.submit(message, WINDOW)
      expect(resetInMs > 4 * MINUTE && resetInMs <= WINDOW.windowMs).toBe(true)
      return counted
    }
    expect([await onRight?.(hit), await onWrong?.(hit)]).toEqual([1, 2])
    expect([await onWrong?.(hit), await onRight?.(hit)]).toEqual([3, 3])
  })

  test('stamp a message by the clock of the database', async () => {
    const [, onWrong] = machines()
    const { receivedAt } = (await onWrong?.((inbox) => inbox.keep(createMessage()))) ?? {}
    expect(Math.abs(Date.parse(receivedAt ?? '') - now())).toBeLessThan(MINUTE)
    const waited = await onWrong?.(async (inbox) => (await inbox.measure()).queued.waitedMs)
    expect(Number(waited)).toBeLessThan(MINUTE)
  })
})
