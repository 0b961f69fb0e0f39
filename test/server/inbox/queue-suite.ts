import { eraseMessages } from '../../../server/inbox/erase.ts'
import type { LetterFacts } from '../../../server/inbox/letter-facts.ts'
import { leaseMail, type Mail, settleMail } from '../../../server/inbox/mail-queue.ts'
import { BROWSERS, countErrors } from '../../../server/inbox/measure.ts'
import { findMessage } from '../../../server/inbox/messages.ts'
import { archive, release, retry } from '../../../server/inbox/triage.ts'
import { MAIL_PACE } from '../../../server/mail/mailing.ts'
import { DAY_MS, HOUR_MS, NOON } from '../../support/inbox.ts'
import { setUpStore, type TestDatabase } from './databases.ts'

const PACE = { ...MAIL_PACE, leaseMs: 60_000 }
const MAILED = { kind: 'mailed', response: '250 OK' } as const
const LATER = { kind: 'later', afterMs: HOUR_MS, error: '451 \0 later' } as const
const DEAD = { kind: 'dead', afterMs: DAY_MS, error: '550' } as const

export function describeQueue(
  name: string,
  createDatabase: () => TestDatabase | Promise<TestDatabase>,
): void {
  describe(name, () => {
    const { store, clock, open, keep } = setUpStore(createDatabase)

    const lease = (pace = PACE) => leaseMail(store, pace)
    const getStatus = async (reference: string) => (await findMessage(store, reference))?.status

    async function leaseOne(): Promise<Mail> {
      const mail = await lease()
      if (!mail) throw new Error('No mail is due')
      return mail
    }

    test('leases due mails, the oldest first, to one of many callers', async () => {
      const references = [await keep(), await keep(), await keep()]
      await keep({ trapped: ['url'] })
      const oldest = await leaseOne()
      expect(oldest).toMatchObject({ id: references[0], attempts: 0 })
      expect(oldest.message).toEqual(await findMessage(store, String(references[0])))
      const other = open()
      const mails = await Promise.all([lease(), leaseMail(other, PACE), lease()])
      const leased = mails.filter((mail) => mail !== undefined).map(({ id }) => id)
      expect(leased.sort()).toEqual(references.slice(1).sort())
    })

    test('leases a mail again after its lease ended; then only the new token settles it', async () => {
      const reference = await keep()
      const former = await leaseOne()
      clock.time += PACE.leaseMs
      const latter = await leaseOne()
      expect(await settleMail(store, former, MAILED)).toBe(false)
      expect(await getStatus(reference)).toBe('new')
      expect(await settleMail(store, latter, MAILED)).toBe(true)
      expect(await settleMail(store, latter, MAILED)).toBe(false)
      expect(await getStatus(reference)).toBe('mailed')
      expect(await lease()).toBeUndefined()
    })

    test('retries all that wait, but none that is being sent', async () => {
      const [first, second] = [await keep(), await keep(), await keep()]
      await settleMail(store, await leaseOne(), DEAD)
      await settleMail(store, await leaseOne(), LATER)
      const sending = await leaseOne()
      expect(await retry(store, sending.id)).toBe(0)
      expect(await retry(store)).toBe(2)
      const again = [await leaseOne(), await leaseOne()].map(({ id }) => id)
      expect(again.sort()).toEqual([first, second].sort())
      expect(await settleMail(store, sending, MAILED)).toBe(true)
    })

    test('queues a message that is released, and no archived or erased one, even if it is leased', async () => {
      const spam = await keep({ trapped: ['url'] })
      expect(await release(store, spam)).toBe(true)
      expect(await release(store, spam)).toBe(false)
      expect((await leaseOne()).message).toMatchObject({ status: 'new', trapped: [] })
      const [archived, erased] = [await keep(), await keep()]
      const mails = [await leaseOne(), await leaseOne()]
      expect(await archive(store, archived)).toBe(true)
      expect(await archive(store, 'RG-22222-22222')).toBe(false)
      expect(await eraseMessages(store, { reference: erased })).toBe(1)
      for (const mail of mails) expect(await settleMail(store, mail, MAILED)).toBe(false)
      expect(await getStatus(archived)).toBe('archived')
      expect(await lease()).toBeUndefined()
    })

    test('sends many one by one, 30 s apart, for all processes together', async () => {
      for (let count = 0; count < 12; count += 1) await keep()
      const first = await leaseOne()
      expect(await leaseMail(open(), PACE)).toBeUndefined()
      await settleMail(store, first, MAILED)
      expect(await lease()).toBeUndefined()
      clock.time += 29_999
      expect(await lease()).toBeUndefined()
      clock.time += 1
      await settleMail(store, await leaseOne(), MAILED)
      // Ten wait: these leave at once.
      for (let count = 0; count < 10; count += 1) {
        await settleMail(store, await leaseOne(), MAILED)
      }
      expect(await lease()).toBeUndefined()
    })

    describe('the daily letter', () => {
      /** Leases the next letter, due at eight in Toronto. */
      async function leaseLetter(): Promise<{ mail: Mail; facts: LetterFacts }> {
        const mail = await leaseOne()
        if (!mail.letter) throw new Error('No letter is due')
        return { mail, facts: mail.letter }
      }
      const getReferences = ({ quoted }: LetterFacts['quarantined']) =>
        quoted.map(({ reference }) => reference)

      beforeEach(async () => {
        // 7:59 in Toronto.
        clock.time = NOON - 60_000
        await lease()
      })

      test('leaves every day at eight in Toronto, summer and winter', async () => {
        const times: string[] = []
        clock.time = Date.parse('2026-10-30T12:00:00Z')
        for (let count = 0; count < 4; count += 1) {
          const { mail } = await leaseLetter()
          await settleMail(store, mail, MAILED)
          while (!(await lease({ ...PACE, leaseMs: 0 }))) clock.time += 15 * 60_000
          times.push(new Date(clock.time).toISOString().slice(0, 16))
        }
        expect(times).toEqual([
          '2026-10-31T12:00',
          '2026-11-01T13:00',
          '2026-11-02T13:00',
          '2026-11-03T13:00',
        ])
      })

      test('is tried again with the same news, until it is accepted', async () => {
        const spam = await keep({ trapped: ['url'] })
        await countErrors(store, BROWSERS, 2)
        clock.time = NOON
        const { mail } = await leaseLetter()
        await settleMail(store, mail, LATER)
        expect(await lease()).toBeUndefined()
        clock.time += HOUR_MS
        const again = await leaseLetter()
        expect(again.mail.attempts).toBe(1)
        expect(getReferences(again.facts.quarantined)).toEqual([spam])
        expect(again.facts.errors).toEqual([{ place: BROWSERS, count: 2 }])
        await settleMail(store, again.mail, MAILED)
        expect(await lease()).toBeUndefined()
        clock.time = NOON + DAY_MS
        expect((await leaseLetter()).mail.attempts).toBe(0)
      })

      test('reports each message and error once, ten of a kind with their text, and what waits each day', async () => {
        const spam = await keep({ trapped: ['url'] })
        const [dead, waiting] = [await keep(), await keep()]
        await settleMail(store, await leaseOne(), DEAD)
        await settleMail(store, await leaseOne(), { ...LATER, afterMs: 2 * DAY_MS })
        await keep()
        await settleMail(store, await leaseOne(), MAILED)
        await countErrors(store, BROWSERS, 3)
        clock.time = NOON
        const first = await leaseLetter()
        expect(getReferences(first.facts.quarantined)).toEqual([spam])
        expect(getReferences(first.facts.givenUp)).toEqual([dead])
        const since = Date.parse(String((await findMessage(store, dead))?.receivedAt))
        const waits = { count: 2, since }
        const facts = { mailed: 1, errors: [{ place: BROWSERS, count: 3 }], waiting: waits }
        expect(first.facts).toMatchObject({ ...facts, date: '2026-05-04' })
        expect(await getStatus(waiting)).toBe('new')
        // It comes while the mail server reads the letter.
        clock.time += 10_000
        const late: string[] = []
        for (let count = 0; count < 12; count += 1) late.push(await keep({ trapped: ['url'] }))
        await countErrors(store, BROWSERS, 4)
        await settleMail(store, first.mail, MAILED)
        clock.time = NOON + DAY_MS
        const second = await leaseLetter()
        expect(second.facts.quarantined.count).toBe(12)
        expect(getReferences(second.facts.quarantined)).toEqual(late.slice(0, 10))
        expect(second.facts).toMatchObject({
          givenUp: { count: 0, quoted: [] },
          mailed: 0,
          errors: [{ place: BROWSERS, count: 4 }],
          waiting: waits,
        })
      })
    })
  })
}
