import { jest } from '@jest/globals'
import { createMessage, type TestInbox } from '../../support/inbox.ts'
import { createPostgresPlace, setUpPlace, setUpPostgres } from './places.ts'

const MINUTE = 60_000
const LEASE = { limit: 10, leaseMs: 5 * MINUTE }
const WINDOW = { limit: 2, windowMs: 5 * MINUTE }

const server = setUpPostgres()
const place = setUpPlace(() => createPostgresPlace(server))

const { now } = Date

describe.each([
  ['ahead', 10 * MINUTE],
  ['behind', -10 * MINUTE],
])('two machines over one PostgreSQL, one of them ten minutes %s', (_, error) => {
  type Work<Value> = (inbox: TestInbox) => Promise<Value>
  let right: TestInbox
  let wrong: TestInbox
  beforeEach(() => {
    right = place.open()
    wrong = place.open()
  })

  const onRight = <Value>(work: Work<Value>) => work(right)
  async function onWrong<Value>(work: Work<Value>): Promise<Value> {
    const spy = jest.spyOn(Date, 'now').mockImplementation(() => now() + error)
    try {
      return await work(wrong)
    } finally {
      spy.mockRestore()
    }
  }

  /** Expects `duration`, or up to a minute less: time passes during the test. */
  const expectAlmost = (rest: number | undefined, duration: number) => {
    expect(Number(rest)).toBeGreaterThan(duration - MINUTE)
    expect(Number(rest)).toBeLessThanOrEqual(duration)
  }

  test('lease a mail to one of them', async () => {
    const { receivedAt } = await onWrong((inbox) => inbox.keep(createMessage()))
    expectAlmost(Date.parse(receivedAt) - now(), 0)
    const [mail] = await onRight((inbox) => inbox.lease(LEASE))
    if (!mail) throw new Error('no mail is due')
    expect(await onWrong((inbox) => inbox.lease(LEASE))).toEqual([])
    expectAlmost(await onWrong((inbox) => inbox.nextDueIn()), LEASE.leaseMs)
    const later = { kind: 'later', afterMs: 8 * MINUTE, error: '451' } as const
    await onWrong((inbox) => inbox.settle(mail, later))
    expect(await onRight((inbox) => inbox.lease(LEASE))).toEqual([])
    expectAlmost(await onRight((inbox) => inbox.nextDueIn()), later.afterMs)
    expect(await onWrong((inbox) => inbox.repairTimes())).toBe(0)
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
