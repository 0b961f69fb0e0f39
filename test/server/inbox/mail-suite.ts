import type { Mail } from '../../../server/inbox/inbox.ts'
import type { Place } from './inbox-suite.ts'
import { createMessage, HOUR, NOON, soon } from './messages.ts'
import type { TestInbox as Inbox } from './test-inbox.ts'

const LEASE = { limit: 10, leaseMs: 60_000 }

/** What every kind of inbox must do for those who mail. */
export function describeMailQueue(name: string, createPlace: () => Promise<Place>): void {
  describe(name, () => {
    let place: Place
    let inbox: Inbox
    let time: number
    const now = () => time

    beforeEach(async () => {
      time = NOON
      place = await createPlace()
      inbox = place.open({ now })
    })
    afterEach(() => place.close())

    const claim = (limit = LEASE.limit) => inbox.claim({ ...LEASE, limit }, soon())
    const status = async (reference: string) => (await inbox.find(reference, soon()))?.status

    async function keep(change: Parameters<typeof createMessage>[0] = {}): Promise<string> {
      time += 1
      const message = { message: `Message of ${time}`, ...change }
      return (await inbox.keep(createMessage(message), soon())).reference
    }

    async function claimOne(): Promise<Mail> {
      const [mail] = await claim()
      if (!mail) throw new Error('No mail is due')
      return mail
    }

    test('leases what is due, the longest waiting first, to one caller', async () => {
      const [first, second] = [await keep(), await keep()]
      await keep({ trapped: ['url'] })
      expect(await inbox.nextDueIn(soon())).toBe(-2)
      const mails = await claim(1)
      expect(mails).toEqual([
        {
          message: await inbox.find(first, soon()),
          attempts: 0,
          waitedMs: 2,
          token: expect.stringMatching(/./),
        },
      ])
      expect((await claim()).map(({ message }) => message.reference)).toEqual([second])
      expect(await claim()).toEqual([])
      expect(await inbox.nextDueIn(soon())).toBe(LEASE.leaseMs)
    })

    test('gives each mail to one of many callers', async () => {
      const kept = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          inbox.keep(createMessage({ message: `Message ${n}` }), soon()),
        ),
      )
      const inboxes = [inbox, place.open({ now })]
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) => inboxes[n % 2]?.claim({ ...LEASE, limit: 3 }, soon())),
      )
      const claimed = claims.flatMap((mails) => mails?.map(({ message }) => message.reference))
      const rest = (await claim(30)).map(({ message }) => message.reference)
      expect([...claimed, ...rest].sort()).toEqual(kept.map(({ reference }) => reference).sort())
    })

    test('leases a mail anew when the lease has ended, and then knows the former one no more', async () => {
      await keep()
      const former = await claimOne()
      time += LEASE.leaseMs
      const latter = await claimOne()
      expect(latter.token).not.toBe(former.token)
      const mailed = { kind: 'mailed', response: '250 OK' } as const
      expect(await inbox.settle(former, mailed, soon())).toBe(false)
      expect(await status(former.message.reference)).toBe('new')
      expect(await inbox.settle(latter, mailed, soon())).toBe(true)
      expect(await inbox.settle(latter, mailed, soon())).toBe(false)
      expect(await status(former.message.reference)).toBe('mailed')
      expect(await inbox.nextDueIn(soon())).toBeUndefined()
    })

    test('is settled after the end of a lease that nobody else has taken', async () => {
      await keep()
      const mail = await claimOne()
      time += 2 * LEASE.leaseMs
      expect(await inbox.settle(mail, { kind: 'mailed', response: '' }, soon())).toBe(true)
    })

    test('is due again when it is said to be, and counts its tries', async () => {
      const reference = await keep()
      const later = { kind: 'later', afterMs: HOUR, error: '451 \0 later' } as const
      expect(await inbox.settle(await claimOne(), later, soon())).toBe(true)
      expect(await status(reference)).toBe('new')
      expect(await inbox.nextDueIn(soon())).toBe(HOUR)
      expect(await claim()).toEqual([])
      time += HOUR
      expect(await claimOne()).toMatchObject({ attempts: 1, waitedMs: HOUR })
      expect((await inbox.stats(soon())).rows.attempts).toBe(1)
    })

    test('stays when it was given up, and can be retried', async () => {
      const reference = await keep()
      await inbox.settle(await claimOne(), { kind: 'dead', error: '550 no such user' }, soon())
      expect(await status(reference)).toBe('dead')
      expect(await inbox.findLastAttempt(reference, soon())).toEqual({
        triedAt: new Date(NOON + 1).toISOString(),
        outcome: 'dead',
        detail: '550 no such user',
      })
      expect((await inbox.waiting(soon())).dead).toEqual([await inbox.find(reference, soon())])
      expect(await claim()).toEqual([])
      time += HOUR
      expect(await inbox.retry(reference, soon())).toBe('retried')
      expect(await claimOne()).toMatchObject({ attempts: 0, waitedMs: 0 })
      expect(await inbox.retry(reference, soon())).toBe('not-waiting')
      expect(await inbox.retry('RG-22222-22222', soon())).toBe('unknown')
    })

    test('retries all that are dead or wait for their next try, in pieces', async () => {
      const kept = [await keep(), await keep(), await keep()]
      const [one, two, three] = await claim()
      await inbox.settle(one as Mail, { kind: 'dead', error: '' }, soon())
      await inbox.settle(two as Mail, { kind: 'later', afterMs: HOUR, error: '' }, soon())
      expect(await inbox.retrySome(1, soon())).toBe(1)
      expect(await inbox.retrySome(10, soon())).toBe(1)
      expect(await inbox.retrySome(10, soon())).toBe(0)
      const due = (await claim()).map(({ message }) => message.reference)
      expect(due.sort()).toEqual(kept.slice(0, 2).sort())
      expect(await inbox.settle(three as Mail, { kind: 'mailed', response: '' }, soon())).toBe(true)
    })

    test('queues what is released from quarantine', async () => {
      const reference = await keep({ trapped: ['url'] })
      const open = await keep()
      await claim()
      expect(await inbox.release(open, soon())).toBe('not-quarantined')
      expect(await inbox.release('RG-22222-22222', soon())).toBe('unknown')
      expect(await inbox.release(reference, soon())).toBe('released')
      expect(await inbox.release(reference, soon())).toBe('not-quarantined')
      const mail = await claimOne()
      expect(mail.message).toMatchObject({ reference, status: 'new', trapped: ['url'] })
    })

    test('does not mail what is archived or erased, whoever holds the lease', async () => {
      const [first, second, third] = [await keep(), await keep(), await keep()]
      const mails = await claim(2)
      expect(await inbox.archive(first, soon())).toBe('archived')
      expect(await inbox.archive(third, soon())).toBe('archived')
      expect(await inbox.archive('RG-22222-22222', soon())).toBe('unknown')
      expect(await inbox.eraseReference(second, soon())).toBe(true)
      for (const mail of mails) {
        const late = inbox.settle(mail, { kind: 'mailed', response: '' }, soon())
        expect(await late).toBe(false)
      }
      expect(await status(first)).toBe('archived')
      expect(await inbox.nextDueIn(soon())).toBeUndefined()
      expect(await inbox.findFaults(soon())).toEqual([])
    })

    test('lets one caller a day send the digest', async () => {
      const claimDigest = () => inbox.claimDigest(60_000, soon())
      const tries = await Promise.all(Array.from({ length: 10 }, claimDigest))
      expect(tries.filter(Boolean)).toEqual(['2026-05-04'])
      time += 60_000
      expect(await claimDigest()).toBe('2026-05-04')
      expect(await claimDigest()).toBeUndefined()
      await inbox.confirmDigest('2026-05-04', soon())
      time += 60_000
      expect(await claimDigest()).toBeUndefined()
      time += 24 * HOUR
      expect(await claimDigest()).toBe('2026-05-05')
    })

    test('lets nobody send the digest before eight in the morning in Toronto', async () => {
      time = Date.parse('2026-05-04T11:59:59.999Z')
      expect(await inbox.claimDigest(60_000, soon())).toBeUndefined()
      time += 1
      expect(await inbox.claimDigest(60_000, soon())).toBe('2026-05-04')
    })

    describe.each([
      ['a day', 24 * HOUR],
      ['half an hour', HOUR / 2],
      ['a second', 1000],
    ])('after a clock that was %s ahead was corrected', (_, error) => {
      test('what was kept is mailed now, and what was being mailed after a lease', async () => {
        await keep()
        time += error
        const [leased, kept] = [await keep(), await keep()]
        await claim(2)
        time -= error
        expect((await claim()).map(({ message }) => message.reference)).toEqual([kept])
        expect(Number(await inbox.nextDueIn(soon()))).toBeLessThanOrEqual(LEASE.leaseMs)
        time += LEASE.leaseMs
        const rest = (await claim()).map(({ message }) => message.reference)
        expect(rest).toContain(leased)
        expect(rest).toHaveLength(3)
      })

      test('what failed is tried again within the longest time between tries', async () => {
        const reference = await keep()
        time += error
        const later = { kind: 'later', afterMs: HOUR, error: '' } as const
        await inbox.settle(await claimOne(), later, soon())
        time -= error
        expect((await claim()).length).toBe(error > 12 * HOUR ? 1 : 0)
        time += 12 * HOUR
        expect((await claimOne()).message.reference).toBe(reference)
      })

      test('the digest goes within a lease', async () => {
        time = Date.parse('2026-05-04T12:00:00Z')
        await inbox.claimDigest(LEASE.leaseMs, soon())
        await place.tamper(`UPDATE digests SET leased_until = leased_until + ${error}`)
        time += LEASE.leaseMs + 60_000
        expect(await inbox.claimDigest(LEASE.leaseMs, soon())).toBe('2026-05-04')
      })
    })

    describe('with three mails an hour', () => {
      const mailed = { kind: 'mailed', response: '250 OK' } as const
      const references = (mails: Mail[]) => mails.map(({ message }) => message.reference)
      const open = () => place.open({ now, mailPerHour: 3 })

      test('lets three go, the oldest first, and the next when one is an hour old', async () => {
        const [one, other] = [open(), open()]
        const kept = [await keep(), await keep(), await keep(), await keep(), await keep()]
        const leases = await Promise.all(
          [one, other, one, other].map((queue) => queue.claim({ ...LEASE, limit: 2 }, soon())),
        )
        const mails = leases.flat()
        expect(references(mails).sort()).toEqual(kept.slice(0, 3).sort())
        for (const [index, mail] of mails.entries()) {
          time = NOON + 60_000 * index + 10
          await one.settle(mail, mailed, soon())
        }
        expect(await other.claim(LEASE, soon())).toEqual([])
        expect(await other.nextDueIn(soon())).toBe(HOUR - 120_000)
        expect(await other.waiting(soon())).toMatchObject({ held: 2, mailPerHour: 3 })
        expect((await other.measure(soon())).held).toEqual({ count: 2, waitedMs: 120_006 })
        time = NOON + 10 + HOUR
        expect(references(await other.claim(LEASE, soon()))).toEqual([kept[3]])
        expect(await one.claim(LEASE, soon())).toEqual([])
        expect(await one.nextDueIn(soon())).toBe(60_000)
      })

      test('counts a failed try no longer than it takes', async () => {
        const queue = open()
        for (let count = 0; count < 4; count++) await keep()
        const mails = await queue.claim(LEASE, soon())
        expect(mails).toHaveLength(3)
        expect((await queue.waiting(soon())).held).toBe(1)
        for (const mail of mails) {
          await queue.settle(mail, { kind: 'later', afterMs: HOUR, error: '' }, soon())
        }
        expect(await queue.claim(LEASE, soon())).toHaveLength(1)
        expect((await queue.measure(soon())).held).toEqual({ count: 0 })
      })

      test('holds back what is released or retried', async () => {
        const queue = open()
        const trapped = await keep({ trapped: ['url'] })
        for (let count = 0; count < 3; count++) await keep()
        const mails = await queue.claim(LEASE, soon())
        for (const mail of mails.slice(1)) await queue.settle(mail, mailed, soon())
        await queue.release(trapped, soon())
        expect(await queue.claim(LEASE, soon())).toEqual([])
        const [dead] = mails
        if (dead) await queue.settle(dead, { kind: 'dead', error: '' }, soon())
        expect(references(await queue.claim(LEASE, soon()))).toEqual([trapped])
        await queue.retrySome(10, soon())
        expect(await queue.claim(LEASE, soon())).toEqual([])
      })

      test('holds nothing back for what a clock wrote that was ahead', async () => {
        const queue = open()
        time += 24 * HOUR
        for (let count = 0; count < 3; count++) await keep()
        for (const mail of await queue.claim(LEASE, soon())) {
          await queue.settle(mail, mailed, soon())
        }
        time -= 24 * HOUR
        await keep()
        expect(await queue.claim(LEASE, soon())).toHaveLength(1)
      })
    })

    test('lists what waits for a person', async () => {
      const trapped = await keep({ trapped: ['url'] })
      const [read, unread, archived] = [await keep(), await keep(), await keep()]
      await inbox.markRead(read, soon())
      await inbox.archive(archived, soon())
      const [mail] = await claim(1)
      if (mail) await inbox.settle(mail, { kind: 'dead', error: '' }, soon())
      expect(await inbox.waiting(soon())).toEqual({
        quarantined: [await inbox.find(trapped, soon())],
        dead: [await inbox.find(read, soon())],
        counts: { new: 1, mailed: 0, dead: 1, quarantined: 1, archived: 1, unread: 1 },
        oldestDueAt: NOON + 3,
        held: 0,
        mailPerHour: Number.POSITIVE_INFINITY,
      })
      expect((await inbox.find(read, soon()))?.readAt).toBe(new Date(NOON + 4).toISOString())
      expect(await status(unread)).toBe('new')
    })

    test('lists the newest ten of a kind, the newest first, and counts them all', async () => {
      const kept: string[] = []
      for (let count = 0; count < 12; count++) kept.push(await keep({ trapped: ['url'] }))
      const { quarantined, counts } = await inbox.waiting(soon())
      const newest = kept.slice(2).reverse()
      expect(quarantined.map(({ reference }) => reference)).toEqual(newest)
      expect(counts.quarantined).toBe(12)
    })

    test('queues dead messages for one more try, with their age and their count of tries', async () => {
      const kept = [await keep(), await keep(), await keep()].sort()
      for (const mail of await claim()) {
        await inbox.settle(mail, { kind: 'dead', error: '' }, soon())
      }
      await keep()
      time += HOUR
      const requeue = (after?: string) => inbox.requeueDead({ limit: 2, after }, soon())
      const first = await requeue()
      expect(first).toEqual(kept.slice(0, 2))
      expect(await requeue(first.at(-1))).toEqual(kept.slice(2))
      expect(await requeue(kept.at(-1))).toEqual([])
      const mails = await claim()
      const tried = mails.filter(({ message }) => kept.includes(message.reference))
      expect(tried.map(({ attempts }) => attempts)).toEqual([1, 1, 1])
      expect(tried.every(({ waitedMs }) => waitedMs >= HOUR)).toBe(true)
      expect(await inbox.findFaults(soon())).toEqual([])
    })

    test('tries again within twelve hours, whatever it is asked for', async () => {
      await keep()
      const later = { kind: 'later', afterMs: 100 * HOUR, error: '' } as const
      await inbox.settle(await claimOne(), later, soon())
      expect(await inbox.nextDueIn(soon())).toBe(12 * HOUR)
    })
  })
}
