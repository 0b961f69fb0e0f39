import type { MailOutcome } from '../../../server/inbox/inbox.ts'
import { createMessage, createStored, DAY_MS, HOUR_MS, NOON, PERIODS } from '../../support/inbox.ts'
import { type Place, setUpInbox } from './places.ts'

export function describeUpkeep(name: string, createPlace: () => Promise<Place>): void {
  describe(name, () => {
    const { place, inbox, clock, keep, countRows } = setUpInbox(createPlace)

    const list = async () =>
      (await inbox.list({ limit: 1000, order: 'oldest-first' })).map(({ reference }) => reference)

    test('erases one message with its rows in other tables', async () => {
      const [erased, kept] = [await keep({ idempotencyKey: 'key' }), await keep()]
      for (const mail of await inbox.lease({ limit: 2, leaseMs: 1 })) {
        await inbox.settle(mail, { kind: 'later', afterMs: 0, error: '' })
      }
      expect(await inbox.eraseMessage(erased)).toBe('erased')
      expect(await inbox.eraseMessage(erased)).toBe('gone')
      expect(await inbox.eraseMessage('RG-22222-22222')).toBe('unknown')
      expect(await list()).toEqual([kept])
      expect([await countRows('attempts'), await countRows('receipts')]).toEqual([1, 1])
      expect(await inbox.findFaults()).toEqual([])
      expect(await inbox.scrub(true)).toBe(place.scrubbing)
    })

    test('records a change in the transaction that makes it', async () => {
      const first = await keep()
      const trapped = await keep({ trapped: ['url'] })
      const dead = await keep()
      const archived = await keep()
      await place.tamper(`UPDATE messages SET status = 'dead' WHERE reference = '${dead}'`)
      const changes = [
        () => inbox.release(trapped),
        () => inbox.retry(dead),
        () => inbox.archive(archived),
        () => inbox.importMessages([createStored()]),
        () => inbox.eraseMessage(first),
      ]
      const before = await inbox.list({ limit: 9, order: 'oldest-first' })
      await place.tamper('ALTER TABLE audit RENAME TO away')
      const missing = { reason: 'missing' }
      for (const change of changes) await expect(change()).rejects.toMatchObject(missing)
      expect(await inbox.list({ limit: 9, order: 'oldest-first' })).toEqual(before)
      await place.tamper('ALTER TABLE away RENAME TO audit')
      for (const change of changes) await change()
      expect(await inbox.eraseMessage(first)).toBe('gone')
      const noted = await place.read('SELECT action, subject FROM audit ORDER BY id')
      expect(noted.map((row) => Object.values(row).join(' '))).toEqual([
        `release ${trapped}`,
        `retry ${dead}`,
        `archive ${archived}`,
        'import 1 messages',
        `erase ${first}`,
      ])
    })

    test('measures how many messages wait, and for how long', async () => {
      const wait = (count: number, waitedMs: number) => ({ count, waitedMs })
      const none = wait(0, 0)
      const nothing = { queued: none, held: none, quarantined: none, dead: none }
      expect(await inbox.measure()).toEqual(nothing)
      const first = await keep()
      await keep()
      await keep({ trapped: ['url'] })
      const mails = await inbox.lease({ limit: 1, leaseMs: HOUR_MS })
      const quarantined = wait(1, 0)
      expect(await inbox.measure()).toMatchObject({ quarantined, queued: wait(2, 2), dead: none })
      for (const mail of mails) await inbox.settle(mail, { kind: 'dead', error: '' })
      expect(await inbox.measure()).toMatchObject({ queued: wait(1, 1), dead: wait(1, 2) })
      // A message that an operator releases or retries has not kept the mail server waiting before.
      await inbox.retry(first)
      expect(await inbox.measure()).toMatchObject({ queued: wait(2, 1), dead: none })
    })

    test('purges messages past their time, in pieces, and nothing else', async () => {
      await keep({ trapped: ['url'] })
      const waiting = await keep()
      await inbox.audit('list', '')
      await inbox.queueDigest()
      const purge = (limit = 100) => inbox.purge(PERIODS, { limit })
      clock.time = NOON + DAY_MS
      expect(await purge()).toEqual([])
      clock.time += 2
      expect(await purge()).toEqual(['receipts', 'receipts', 'hits', 'hits'])
      clock.time = NOON + 30 * DAY_MS
      expect(await purge()).toEqual([])
      clock.time += 1
      const young = await keep()
      expect(await purge()).toEqual(['messages'])
      expect(await list()).toEqual([waiting, young])
      clock.time = NOON + 730 * DAY_MS + 2
      expect(await purge(3)).toEqual(['receipts', 'hits', 'messages'])
      expect(await purge(3)).toEqual(['audit', 'outbox'])
      expect(await list()).toEqual([young])
      const noted = await place.read("SELECT subject FROM audit WHERE action = 'purge'")
      expect(noted).toEqual(Array(2).fill({ subject: '1 messages' }))
    })

    test('purges what was set aside after its own time, archived or not, unless it was released', async () => {
      const trapped = { trapped: ['url'] }
      const [, archived] = [await keep(trapped), await keep(trapped)]
      const [released, done] = [await keep(trapped), await keep(trapped)]
      const genuine = await keep()
      for (const reference of [released, done]) await inbox.release(reference)
      for (const reference of [archived, done, genuine]) await inbox.archive(reference)
      clock.time = NOON + 30 * DAY_MS + HOUR_MS
      await inbox.purge(PERIODS, { limit: 100 })
      expect(await list()).toEqual([released, done, genuine])
      expect(await inbox.find(done)).toMatchObject({ status: 'archived', trapped: [] })
      expect((await inbox.checkHashes({ limit: 9 })).broken).toEqual([])
      clock.time = NOON + 730 * DAY_MS + HOUR_MS
      await inbox.purge(PERIODS, { limit: 100 })
      expect(await list()).toEqual([])
    })

    describe('after a clock that was ahead was corrected', () => {
      const LEASE = { limit: 10, leaseMs: 60_000 }
      const leaseIds = async () => (await inbox.lease(LEASE)).map(({ id }) => id)

      async function settleAll(outcome: MailOutcome) {
        for (const mail of await inbox.lease(LEASE)) await inbox.settle(mail, outcome)
      }

      test('repairs nothing but times in the future', async () => {
        await keep()
        await inbox.queueDigest()
        await settleAll({ kind: 'later', afterMs: 12 * HOUR_MS, error: '' })
        expect(await inbox.repairTimes()).toBe(0)
      })

      test.each([DAY_MS, HOUR_MS])('mails what waits, by %d ms', async (error) => {
        clock.time += error
        const references = [await keep(), await keep(), await keep()]
        await inbox.lease({ ...LEASE, limit: 1 })
        clock.time -= error
        expect(await inbox.repairTimes()).toBeGreaterThan(0)
        expect((await leaseIds()).sort()).toEqual(references.sort())
        expect(await inbox.measure()).toMatchObject({ queued: { count: 3, waitedMs: 0 } })
      })

      test('tries a failed mail again within the longest time between tries', async () => {
        await keep()
        clock.time += 30 * DAY_MS
        await settleAll({ kind: 'later', afterMs: HOUR_MS, error: '' })
        clock.time -= 30 * DAY_MS
        await inbox.repairTimes()
        expect(await leaseIds()).toHaveLength(1)
      })

      test('counts mails and messages for one hour more at most', async () => {
        const limited = place.open({ now: () => clock.time, mailPerHour: 1 })
        const submit = async () =>
          (await inbox.submit(createMessage(), { limit: 1, windowMs: HOUR_MS })).receipt
        clock.time += 2 * DAY_MS
        await submit()
        await settleAll({ kind: 'mailed', response: '' })
        clock.time -= 2 * DAY_MS
        await inbox.repairTimes()
        clock.time += HOUR_MS
        expect(await submit()).toMatchObject({ outcome: 'replayed' })
        await keep()
        expect(await limited.lease(LEASE)).toHaveLength(1)
        clock.time += DAY_MS
        await inbox.purge(PERIODS, { limit: 100 })
        expect([await countRows('hits'), await countRows('receipts')]).toEqual([0, 0])
      })

      test('sends a daily letter although one of a day ahead was sent', async () => {
        clock.time += DAY_MS
        await inbox.queueDigest()
        await settleAll({ kind: 'mailed', response: '' })
        clock.time -= DAY_MS
        await inbox.repairTimes()
        clock.time += DAY_MS
        await inbox.queueDigest()
        expect(await leaseIds()).toEqual(['2026-05-05'])
      })

      test('shows a message that came after a letter was written ahead', async () => {
        await inbox.queueDigest()
        clock.time += 8 * HOUR_MS
        await settleAll({ kind: 'mailed', response: '' })
        clock.time -= 8 * HOUR_MS
        await inbox.repairTimes()
        const reference = await keep({ trapped: ['url'] })
        clock.time += DAY_MS
        await inbox.queueDigest()
        const [letter] = await inbox.lease(LEASE)
        expect(letter?.digest?.fresh.quarantined.oldest).toMatchObject([{ reference }])
      })
    })

    test('keeps no NUL and no half of a character', async () => {
      const message = 'before\0 \ud800 after'
      const { reference } = await inbox.keep(createMessage({ message, lastName: message }))
      const text = 'before \ufffd after'
      const expected = { message: text, lastName: text }
      expect(await inbox.find(reference)).toMatchObject(expected)
      expect((await inbox.checkHashes({ limit: 9 })).broken).toEqual([])
    })

    test.each([
      ["DELETE FROM outbox WHERE reference = 'REF'", 'no-outbox-row'],
      ["UPDATE outbox SET due_at = NULL WHERE reference = 'REF'", 'new-not-queued'],
      ["UPDATE messages SET status = 'mailed' WHERE reference = 'REF'", 'queued-not-new'],
    ])('finds a fault: %s', async (sql, code) => {
      const reference = await keep()
      await keep()
      expect(await inbox.findFaults()).toEqual([])
      await place.tamper(sql.replace('REF', reference))
      expect(await inbox.findFaults()).toEqual([{ code, subject: reference }])
    })
  })
}
