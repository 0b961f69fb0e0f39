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

  /** Expects `duration`, or up to a minute less: time passes during the test. */
  const expectAlmost = (rest: number | undefined, duration: number) => {
    expect(Number(rest)).toBeGreaterThan(duration - MINUTE)
    expect(Number(rest)).toBeLessThanOrEqual(duration)
  }

  test.each([
    ['the right one', onRight, onWrong],
    ['the wrong one', onWrong, onRight],
  ])('lease a mail to one of them, here to %s first', async (_name, onFirst, onSecond) => {
    const { receivedAt } = await onFirst((inbox) => inbox.keep(createMessage()))
    expectAlmost(Date.parse(receivedAt) - now(), 0)
    const [mail] = await onSecond((inbox) => inbox.lease(LEASE))
    if (!mail) throw new Error('no mail is due')
    expect(await onFirst((inbox) => inbox.lease(LEASE))).toEqual([])
    expectAlmost(await onFirst((inbox) => inbox.nextDueIn()), LEASE.leaseMs)
    const later = { kind: 'later', afterMs: 8 * MINUTE, error: '451' } as const
    await onSecond((inbox) => inbox.settle(mail, later))
    expect(await onFirst((inbox) => inbox.lease(LEASE))).toEqual([])
    expectAlmost(await onSecond((inbox) => inbox.nextDueIn()), later.afterMs)
  })

  test('count the hits of an address in one window', async () => {
    let count = 0
    const hit = async (inbox: TestInbox) => {
      const message = createMessage({ message: `Message number ${++count}` })
      const { count: counted, resetInMs } = await inbox.submit(message, WINDOW)
      expectAlmost(resetInMs, WINDOW.windowMs)
      return counted
    }
    expect([await onRight(hit), await onWrong(hit)]).toEqual([1, 2])
    expect([await onWrong(hit), await onRight(hit)]).toEqual([3, 3])
  })
})
