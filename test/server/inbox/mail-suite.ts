import type { Digest, Mail } from '../../../server/inbox/inbox.ts'
import { createStored, DAY_MS, HOUR_MS, NOON } from '../../support/inbox.ts'
import { type Place, setUpInbox } from './places.ts'

const LEASE = { limit: 10, leaseMs: 60_000 }
const references = (mails: Mail[] = []) => mails.map(({ id }) => id)
const MAILED = { kind: 'mailed', response: '250 OK' } as const
const LATER = { kind: 'later', afterMs: HOUR_MS, error: '451 \0 later' } as const

export function describeMailQueue(name: string, createPlace: () => Promise<Place>): void {
  describe(name, () => {
    const { place, inbox, clock, open, keep, countRows } = setUpInbox(createPlace)

    const lease = (limit = LEASE.limit) => inbox.lease({ ...LEASE, limit })
    const status = async (reference: string) => (await inbox.find(reference))?.status

    async function leaseOne(limit?: number): Promise<Mail> {
      const [mail] = await lease(limit)
      if (!mail) throw new Error('No mail is due')
      return mail
    }

    test('leases due mails, the oldest first, to one caller', async () => {
      const [first, second] = [await keep(), await keep()]
      await keep({ trapped: ['url'] })
      expect(await inbox.nextDueIn()).toBe(-2)
      const message = await inbox.find(first)
      const token = expect.stringMatching(/./)
      expect(await lease(1)).toEqual([{ id: first, message, attempts: 0, token }])
      expect(references(await lease())).toEqual([second])
      expect(await lease()).toEqual([])
      expect(await inbox.nextDueIn()).toBe(LEASE.leaseMs)
    })

    test('leases a mail again after its lease ended; then only the latter token settles it', async () => {
      const reference = await keep()
      const former = await leaseOne()
      clock.time += LEASE.leaseMs
      const latter = await leaseOne()
      expect(await inbox.settle(former, MAILED)).toBe(false)
      expect(await status(reference)).toBe('new')
      // Nobody else leases it after this lease ended, too.
      clock.time += LEASE.leaseMs
      expect(await inbox.settle(latter, MAILED)).toBe(true)
      expect(await inbox.settle(latter, MAILED)).toBe(false)
      expect(await status(reference)).toBe('mailed')
      expect(await inbox.nextDueIn()).toBeUndefined()
    })

    test('makes a mail due again after the given time, and counts its tries', async () => {
      const reference = await keep()
      expect(await inbox.settle(await leaseOne(), LATER)).toBe(true)
      expect(await status(reference)).toBe('new')
      expect(await inbox.nextDueIn()).toBe(HOUR_MS)
      expect(await lease()).toEqual([])
      clock.time += HOUR_MS
      const mail = await leaseOne()
      expect(mail.attempts).toBe(1)
      await inbox.settle(mail, { ...LATER, kind: 'misconfigured' })
      clock.time += HOUR_MS
      expect((await leaseOne()).attempts).toBe(1)
      expect(await countRows('attempts')).toBe(2)
    })

    test('keeps a dead message, and retries its mail', async () => {
      const reference = await keep()
      await inbox.settle(await leaseOne(), { kind: 'dead', error: '550 no such user' })
      expect(await status(reference)).toBe('dead')
      const lastAttempt = { outcome: 'dead', detail: '550 no such user' }
      expect(await inbox.findLastAttempt(reference)).toMatchObject(lastAttempt)
      expect(await lease()).toEqual([])
      clock.time += HOUR_MS
      expect(await inbox.retry(reference)).toBe('retried')
      expect(await leaseOne()).toMatchObject({ attempts: 0 })
      expect(await inbox.retry(reference)).toBe('not-waiting')
      expect(await inbox.retry('RG-22222-22222')).toBe('unknown')
    })

    test('retries all mails that are dead or wait for their next try, in pieces', async () => {
      const kept = [await keep(), await keep(), await keep()]
      const [first, second] = kept
      for (const outcome of [{ kind: 'dead', error: '' }, LATER] as const) {
        await inbox.settle(await leaseOne(1), outcome)
      }
      await leaseOne()
      expect(await inbox.retrySome({ limit: 1 })).toEqual([first])
      // The site meanwhile fails to mail it: it must not be retried again.
      await inbox.settle(await leaseOne(1), LATER)
      expect(await inbox.retrySome({ limit: 10, after: first })).toEqual([second])
      expect(await inbox.retrySome({ limit: 10, after: second })).toEqual([])
      await inbox.retry(String(first))
      expect(references(await lease()).sort()).toEqual(kept.slice(0, 2).sort())
    })

    test('queues a message that is released from quarantine', async () => {
      const reference = await keep({ trapped: ['url'] })
      const open = await keep()
      await lease()
      expect(await inbox.release(open)).toBe('not-quarantined')
      expect(await inbox.release('RG-22222-22222')).toBe('unknown')
      expect(await inbox.release(reference)).toBe('released')
      expect(await inbox.release(reference)).toBe('not-quarantined')
      const mail = await leaseOne()
      expect(mail.message).toMatchObject({ reference, status: 'new', trapped: [] })
    })

    test('mails no archived or erased message, even if it is leased', async () => {
      const [first, second, third] = [await keep(), await keep(), await keep()]
      const mails = await lease(2)
      expect(await inbox.archive(first)).toBe('archived')
      expect(await inbox.archive(third)).toBe('archived')
      expect(await inbox.archive('RG-22222-22222')).toBe('unknown')
      expect(await inbox.eraseMessage(second)).toBe('erased')
      for (const mail of mails) expect(await inbox.settle(mail, MAILED)).toBe(false)
      expect(await status(first)).toBe('archived')
      expect(await inbox.nextDueIn()).toBeUndefined()
      expect(await inbox.findFaults()).toEqual([])
    })

    describe('the daily letter', () => {
      beforeEach(() => inbox.queueDigest())

      test('is queued once a day, and leased to one of many callers', async () => {
        const other = open()
        await Promise.all([inbox.queueDigest(), other.queueDigest()])
        const [mail, ...others] = (await Promise.all([lease(), other.lease(LEASE)])).flat()
        expect(mail).toMatchObject({
          id: '2026-05-04',
          digest: { unsent: { count: 0 }, wasRefused: false },
        })
        expect(others).toEqual([])
        if (mail) await inbox.settle(mail, MAILED)
        await inbox.queueDigest()
        expect(await lease()).toEqual([])
        expect(await inbox.nextDueIn()).toBeUndefined()
        clock.time += DAY_MS
        await inbox.queueDigest()
        expect((await leaseOne()).id).toBe('2026-05-05')
      })

      test('is leased again at the time of its next try, and knows that it was refused', async () => {
        await inbox.settle(await leaseOne(), { ...LATER, kind: 'refused' })
        expect(await inbox.nextDueIn()).toBe(HOUR_MS)
        clock.time += HOUR_MS
        const again = await leaseOne()
        expect(again).toMatchObject({ attempts: 1, digest: { wasRefused: true } })
        await inbox.settle(again, LATER)
        clock.time += HOUR_MS
        expect(await leaseOne()).toMatchObject({ attempts: 2, digest: { wasRefused: true } })
      })

      test('replaces the letter of the day before, if that was not accepted', async () => {
        const former = await leaseOne()
        clock.time += DAY_MS
        await inbox.queueDigest()
        expect(references(await lease())).toEqual(['2026-05-05'])
        expect(await inbox.settle(former, MAILED)).toBe(false)
        expect(await countRows('outbox')).toBe(1)
      })

      test('counts neither as a message nor for MAIL_PER_HOUR, and is first', async () => {
        const queue = open({ mailPerHour: 1 })
        /** Mails until the queue gives nothing more; resolves to what was mailed. */
        async function mailAll(): Promise<string[]> {
          const [mail] = await queue.lease({ ...LEASE, limit: 1 })
          if (!mail) return []
          await queue.settle(mail, MAILED)
          return [mail.id, ...(await mailAll())]
        }
        const kept = [await keep(), await keep(), await keep()]
        expect(await mailAll()).toEqual(['2026-05-04', kept[0]])
        clock.time += DAY_MS
        expect(await mailAll()).toEqual([kept[1]])
        await queue.queueDigest()
        expect(await queue.nextDueIn()).toBe(0)
        expect(await queue.countByStatus()).toMatchObject({ new: 1, mailed: 2 })
        expect((await queue.measure()).held.count).toBe(1)
        expect(await mailAll()).toEqual(['2026-05-05'])
        expect(await inbox.findFaults()).toEqual([])
      })

      test('queues dead messages for one more try once it is accepted, and keeps no answer', async () => {
        const letter = await leaseOne()
        const dead = [await keep(), await keep()]
        for (const mail of await lease()) await inbox.settle(mail, { kind: 'dead', error: '550' })
        await place.tamper('UPDATE outbox SET attempts = 7 WHERE reference IS NOT NULL')
        expect(await lease()).toEqual([])
        await inbox.settle(letter, { ...MAILED, response: '250 Bonjour, j’aimerais' })
        const mails = (await lease()).map(({ id, attempts }) => `${id} ${attempts}`)
        expect(mails.sort()).toEqual(dead.map((reference) => `${reference} 7`).sort())
        const accepted = await place.read("SELECT detail FROM attempts WHERE outcome = 'mailed'")
        expect(accepted).toEqual([{ detail: '' }])
        expect(await inbox.findFaults()).toEqual([])
      })
    })

    describe('of the messages that wait for a person, a daily letter', () => {
      const keepTrapped = () => keep({ trapped: ['url'] })

      /** The letter of the next morning. */
      async function leaseLetter(): Promise<Mail & { digest: Digest }> {
        clock.time += DAY_MS
        await inbox.queueDigest()
        const mail = await leaseOne(1)
        if (!mail.digest) throw new Error('No letter is due')
        return mail
      }

      /** The references of dead and quarantined messages, new ones, then reported ones. */
      const describePending = ({ fresh, reported }: Digest) =>
        [fresh.dead, fresh.quarantined, reported.dead, reported.quarantined].map(({ oldest }) =>
          oldest.map(({ reference }) => reference),
        )

      async function giveUp(...references: string[]): Promise<void> {
        clock.time += 1
        for (const mail of await lease()) {
          const isGivenUp = references.includes(mail.id)
          await inbox.settle(mail, isGivenUp ? { kind: 'dead', error: '550' } : LATER)
        }
      }

      test('lists all that are new, and from the next morning on again as reported', async () => {
        const dead = await keep()
        const trapped: string[] = []
        for (let count = 0; count < 12; count++) trapped.push(await keepTrapped())
        await giveUp(dead)
        const first = await leaseLetter()
        expect(describePending(first.digest)).toEqual([[dead], trapped, [], []])
        await inbox.settle(first, MAILED)
        const late = await keepTrapped()
        const { digest } = await leaseLetter()
        expect(describePending(digest)).toEqual([[], [late], [], trapped])
      })

      test('counts all and lists a hundred', async () => {
        for (let count = 0; count < 101; count++) await keepTrapped()
        const { digest } = await leaseLetter()
        expect(digest.fresh.quarantined.count).toBe(101)
        expect(digest.fresh.quarantined.oldest).toHaveLength(100)
      })

      test('lists as new what was imported', async () => {
        await inbox.settle(await leaseLetter(), MAILED)
        clock.time += HOUR_MS
        const message = createStored({ status: 'quarantined', trapped: ['url'] })
        await inbox.importMessages([message])
        const { digest } = await leaseLetter()
        expect(describePending(digest)).toEqual([[], [message.reference], [], []])
      })

      test('shows again what a letter showed that was given up', async () => {
        const kept = [await keepTrapped()]
        const letter = await leaseLetter()
        await inbox.settle(letter, { kind: 'dead', error: '550' })
        const { digest } = await leaseLetter()
        expect(describePending(digest)).toEqual([[], kept, [], []])
      })

      test('shows what came after the last accepted letter was written', async () => {
        const first = await keepTrapped()
        const letter = await leaseLetter()
        expect(describePending(letter.digest)).toEqual([[], [first], [], []])
        // It comes while the mail server reads the letter.
        const second = await keepTrapped()
        clock.time += HOUR_MS
        await inbox.settle(letter, MAILED)
        const later = await leaseLetter()
        expect(describePending(later.digest)).toEqual([[], [second], [], [first]])
        await inbox.settle(later, LATER)
        clock.time += HOUR_MS
        const third = await keepTrapped()
        const again = await leaseOne()
        expect(again.digest?.fresh.quarantined.count).toBe(2)
        await inbox.settle(again, MAILED)
        // It came so shortly before the letter that another, with an earlier time, may not have been stored yet.
        const next = await leaseLetter()
        expect(describePending(next.digest)).toEqual([[], [third], [], [first, second]])
        await inbox.settle(next, MAILED)
        const { digest } = await leaseLetter()
        expect(describePending(digest)).toEqual([[], [], [], [first, second, third]])
      })

      test('shows a dead message once, however often it is tried again', async () => {
        const [late, early] = [await keep(), await keep()]
        await giveUp(early)
        const first = await leaseLetter()
        expect(describePending(first.digest)).toEqual([[early], [], [], []])
        await giveUp(late)
        await inbox.settle(first, MAILED)
        await giveUp(late, early)
        const second = await leaseLetter()
        expect(describePending(second.digest)).toEqual([[late], [], [early], []])
        await inbox.settle(second, MAILED)
        await giveUp(late, early)
        const third = await leaseLetter()
        expect(describePending(third.digest)).toEqual([[], [], [early, late], []])
        await inbox.settle(third, MAILED)
        // An operator has asked for another round of tries, so its end is news.
        clock.time += HOUR_MS
        await inbox.retry(early)
        await giveUp(late, early)
        expect(describePending((await leaseLetter()).digest)).toEqual([[early], [], [late], []])
      })

      test('counts the mails since the last accepted letter', async () => {
        const mailOne = async () => inbox.settle(await leaseOne(), MAILED)
        await keep()
        await mailOne()
        const first = await leaseLetter()
        expect(first.digest.mailed).toBe(1)
        clock.time += 1
        await keep()
        await mailOne()
        await inbox.settle(first, MAILED)
        const lost = await leaseLetter()
        await inbox.settle(lost, LATER)
        await keep()
        await mailOne()
        expect((await leaseLetter()).digest.mailed).toBe(2)
      })

      test('counts what is not mailed yet, from the arrival of the oldest', async () => {
        await keep()
        const oldestAt = clock.time
        const { digest } = await leaseLetter()
        expect(digest.unsent).toEqual({ count: 1, held: 0, oldestAt })
      })
    })

    describe('with three mails an hour', () => {
      const openLimited = () => open({ mailPerHour: 3 })

      test('leases three, the oldest first, and the next when one is an hour old', async () => {
        const [one, other] = [openLimited(), openLimited()]
        const kept = [await keep(), await keep(), await keep(), await keep(), await keep()]
        const leases = await Promise.all(
          [one, other, one, other].map((queue) => queue.lease({ ...LEASE, limit: 2 })),
        )
        const mails = leases.flat()
        expect(references(mails).sort()).toEqual(kept.slice(0, 3).sort())
        for (const [index, mail] of mails.entries()) {
          clock.time = NOON + 60_000 * index + 10
          await one.settle(mail, MAILED)
        }
        expect(await other.lease(LEASE)).toEqual([])
        expect(await other.nextDueIn()).toBe(HOUR_MS - 120_000)
        expect((await other.measure()).held).toEqual({ count: 2, waitedMs: 120_006 })
        clock.time = NOON + 10 + HOUR_MS
        expect(references(await other.lease(LEASE))).toEqual([kept[3]])
        expect(await one.lease(LEASE)).toEqual([])
        expect(await one.nextDueIn()).toBe(60_000)
      })

      test('counts a failed try only while it lasts', async () => {
        const queue = openLimited()
        for (let count = 0; count < 4; count++) await keep()
        const mails = await queue.lease(LEASE)
        expect(mails).toHaveLength(3)
        expect((await queue.measure()).held.count).toBe(1)
        for (const mail of mails) await queue.settle(mail, LATER)
        expect(await queue.lease(LEASE)).toHaveLength(1)
        expect((await queue.measure()).held).toEqual({ count: 0, waitedMs: 0 })
      })
    })
  })
}
