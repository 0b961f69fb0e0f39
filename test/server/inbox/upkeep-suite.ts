import type { Message } from '../../../server/inbox/inbox.ts'
import type { Place } from './inbox-suite.ts'
import { createMessage, HOUR, NOON, soon } from './messages.ts'
import type { TestInbox as Inbox } from './test-inbox.ts'

const DAY = 24 * HOUR
const PERIODS = { retentionDays: 730, quarantineDays: 30 }

/** What every kind of inbox must do for those who look after it. */
export function describeUpkeep(name: string, createPlace: () => Promise<Place>): void {
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

    const list = async () =>
      (await inbox.list({ limit: 1000, order: 'oldest-first' }, soon())).map(
        ({ reference }) => reference,
      )

    async function keep(change: Parameters<typeof createMessage>[0] = {}): Promise<string> {
      time += 1
      const message = { message: `Message of ${time}`, ...change }
      return (await inbox.keep(createMessage(message), soon())).reference
    }

    test('erases one message with all that hangs on it', async () => {
      const [erased, kept] = [await keep({ idempotencyKey: 'key' }), await keep()]
      for (const mail of await inbox.claim({ limit: 2, leaseMs: 1 }, soon())) {
        await inbox.settle(mail, { kind: 'later', afterMs: 0, error: '' }, soon())
      }
      expect(await inbox.eraseReference(erased, soon())).toBe(true)
      expect(await inbox.eraseReference(erased, soon())).toBe(false)
      expect(await list()).toEqual([kept])
      const { rows } = await inbox.stats(soon())
      expect(rows).toMatchObject({ attempts: 1, receipts: 1 })
      expect(await inbox.findFaults(soon())).toEqual([])
      expect(await inbox.scrub(true, soon())).toBe(place.scrubbing)
    })

    test('erases all that an address has sent, in pieces, whatever its capitals', async () => {
      const own = [
        await keep({ email: 'Zoe@Exemple.CA' }),
        await keep({ email: 'zoe@exemple.ca' }),
        await keep({ email: 'zoe@exemple.ca' }),
      ]
      const kept = await keep({ email: 'zoé@exemple.ca' })
      const erase = () => inbox.eraseEmail('ZOE@exemple.ca', 2, soon())
      const pieces = [await erase(), await erase()]
      expect(pieces.map(({ more }) => more)).toEqual([true, false])
      expect(pieces.flatMap(({ references }) => references).sort()).toEqual(own.sort())
      expect(await erase()).toEqual({ references: [], more: false })
      expect(await list()).toEqual([kept])
    })

    test.each([
      'zoe@exemple.québec',
      ' ZOE@EXEMPLE.QUÉBEC\n',
      'zoe@exemple.qu\u0065\u0301bec',
      'zoe@exemple.xn--qubec-csa',
      'Zoe@Exemple.XN--QUBEC-CSA',
    ])('erases a mailbox in every spelling, asked for as %j', async (asked) => {
      const spellings = [
        'zoe@exemple.québec',
        'Zoe@Exemple.QUÉBEC',
        'zoe@exemple.que\u0301bec',
        'zoe@exemple.xn--qubec-csa',
        'zoe@EXEMPLE.XN--QUBEC-CSA',
      ]
      for (const email of spellings) await keep({ email })
      const others = ['zoe@exemple.quebec', 'zoe@québec', 'zo@exemple.québec', 'zoé@exemple.québec']
      const kept = []
      for (const email of others) kept.push(await keep({ email }))
      expect((await inbox.eraseEmail(asked, 9, soon())).references).toHaveLength(spellings.length)
      expect(await list()).toEqual(kept)
    })

    test('notes what it erases in the same transaction', async () => {
      const references = [await keep(), await keep({ email: 'a@exemple.ca' })]
      const eraseBoth = () =>
        Promise.allSettled([
          inbox.eraseReference(references[0] ?? '', soon()),
          inbox.eraseEmail('a@exemple.ca', 9, soon()),
        ])
      await place.tamper('ALTER TABLE audit RENAME TO away')
      const failed = await eraseBoth()
      expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      expect(await list()).toEqual(references)
      await place.tamper('ALTER TABLE away RENAME TO audit')
      await eraseBoth()
      expect(await list()).toEqual([])
      expect(await inbox.eraseReference(references[0] ?? '', soon())).toBe(false)
      const noted = await place.read('SELECT action, subject FROM audit ORDER BY id')
      expect(noted).toEqual(references.map((subject) => ({ action: 'erase', subject })))
    })

    test('erases a mailbox among messages that an older build kept, in pieces', async () => {
      const spellings = ['zoe@exemple.québec', 'a@exemple.ca', 'ZOE@exemple.QUÉBEC', 'b@exemple.ca']
      for (const email of spellings) await keep({ email })
      await place.tamper('UPDATE messages SET mailbox = NULL')
      await keep({ email: 'zoe@exemple.que\u0301bec' })
      const erase = () => inbox.eraseEmail('zoe@exemple.xn--qubec-csa', 3, soon())
      const pieces = [await erase(), await erase()]
      expect(pieces.map(({ more }) => more)).toEqual([true, false])
      expect(pieces.flatMap(({ references }) => references)).toHaveLength(3)
      const left = await inbox.list({ limit: 9, order: 'oldest-first' }, soon())
      expect(left.map(({ email }) => email)).toEqual(['a@exemple.ca', 'b@exemple.ca'])
      expect(await place.read('SELECT mailbox FROM messages WHERE mailbox IS NULL')).toEqual([])
    })

    test('measures what waits, and for how long', async () => {
      const nothing = { count: 0 }
      expect(await inbox.measure(soon())).toEqual({
        queued: nothing,
        held: nothing,
        quarantined: nothing,
        dead: nothing,
      })
      const [first] = [await keep(), await keep()]
      await keep({ trapped: ['url'] })
      const dead = await inbox.claim({ limit: 1, leaseMs: HOUR }, soon())
      expect(dead.map(({ message }) => message.reference)).toEqual([first])
      const [mail] = dead
      const leased = { count: 2, waitedMs: 2 }
      const quarantined = { count: 1, waitedMs: 0 }
      const held = nothing
      expect(await inbox.measure(soon())).toEqual({
        queued: leased,
        held,
        quarantined,
        dead: nothing,
      })
      if (mail) await inbox.settle(mail, { kind: 'dead', error: '' }, soon())
      expect(await inbox.measure(soon())).toEqual({
        queued: { count: 1, waitedMs: 1 },
        held,
        quarantined,
        dead: { count: 1, waitedMs: 2 },
      })
    })

    test('purges what is past its time, in pieces, and nothing else', async () => {
      const quarantined = await keep({ trapped: ['url'] })
      const waiting = await keep()
      await inbox.audit('list', '', soon())
      await inbox.claimDigest(1, soon())
      await inbox.confirmDigest('2026-05-04', soon())
      const purge = (limit = 100) => inbox.purge(PERIODS, limit, soon())
      const nothing = { messages: 0, more: false }
      expect(await purge()).toEqual(nothing)
      time = NOON + 30 * DAY
      expect(await purge()).toEqual(nothing)
      time += 1
      const young = await keep()
      expect(await purge()).toEqual({ messages: 1, more: false })
      expect(await list()).toEqual([waiting, young])
      expect((await inbox.stats(soon())).rows).toMatchObject({ receipts: 1, hits: 1, audit: 1 })
      time = NOON + 730 * DAY + 2
      expect(await purge(1)).toEqual({ messages: 1, more: true })
      expect(await purge(1)).toEqual(nothing)
      expect(await list()).toEqual([young])
      expect((await inbox.stats(soon())).rows).toMatchObject({ receipts: 0, audit: 0 })
      expect((await inbox.stats(soon())).bytes).toBeGreaterThan(0)
      expect(await place.read('SELECT date FROM digests')).toEqual([])
      expect(quarantined).not.toBe(young)
    })

    test('purges hits of a clock that was days ahead', async () => {
      time += 2 * DAY
      await keep()
      time -= 2 * DAY
      await keep({ address: 'another' })
      await inbox.purge(PERIODS, 100, soon())
      expect((await inbox.stats(soon())).rows).toMatchObject({ hits: 1 })
    })

    test('purges in pieces of at most the limit', async () => {
      for (let count = 0; count < 3; count++) await keep({ trapped: ['url'] })
      for (let count = 0; count < 3; count++) await keep()
      time = NOON + 800 * DAY
      const purge = async () => (await inbox.purge(PERIODS, 2, soon())).messages
      expect([await purge(), await purge(), await purge(), await purge()]).toEqual([2, 2, 2, 0])
    })

    test('tells that more rows beside the messages are past their time than the limit', async () => {
      for (let count = 0; count < 5; count++) await keep()
      const purge = () => inbox.purge(PERIODS, 2, soon())
      time += HOUR
      const [piece, last] = [true, false].map((more) => ({ messages: 0, more }))
      expect([await purge(), await purge(), await purge()]).toEqual([piece, piece, last])
      expect((await inbox.stats(soon())).rows).toMatchObject({ receipts: 5, hits: 0 })
      time += DAY
      expect([await purge(), await purge(), await purge()]).toEqual([piece, piece, last])
      expect((await inbox.stats(soon())).rows).toMatchObject({ receipts: 0 })
      expect(await list()).toHaveLength(5)
    })

    const imported = (change: Partial<Message>): Message => {
      const { address: _, ...content } = createMessage()
      const receivedAt = '2026-01-01T00:00:00.123Z'
      return { ...content, reference: 'RG-22222-22223', receivedAt, status: 'mailed', ...change }
    }

    test('imports messages as they were, and mails only those that were waiting', async () => {
      const messages = [
        imported({ reference: 'RG-22222-22222', status: 'new' }),
        imported({ status: 'mailed', readAt: '2026-01-02T00:00:00.000Z' }),
        imported({ reference: 'RG-22222-22224', status: 'dead' }),
        imported({
          reference: 'RG-22222-22225',
          status: 'quarantined',
          trapped: ['url', 'website'],
        }),
        imported({ reference: 'RG-22222-22226', status: 'archived', message: 'a\nb\t"\\' }),
      ]
      const all = { imported: 5, present: 0, different: [] }
      expect(await inbox.importMessages(messages, soon())).toEqual(all)
      expect(await inbox.list({ limit: 9, order: 'oldest-first' }, soon())).toEqual(messages)
      const mails = await inbox.claim({ limit: 9, leaseMs: 1 }, soon())
      expect(mails.map(({ message }) => message.reference)).toEqual(['RG-22222-22222'])
      await inbox.archive('RG-22222-22222', soon())
      const none = { imported: 0, present: 5, different: [] }
      expect(await inbox.importMessages(messages, soon())).toEqual(none)
      expect(await inbox.find('RG-22222-22222', soon())).toMatchObject({ status: 'archived' })
      expect(await inbox.findFaults(soon())).toEqual([])
    })

    test('notices a reference that stands for something else already', async () => {
      await inbox.importMessages([imported({})], soon())
      const result = await inbox.importMessages([imported({ message: 'Something else' })], soon())
      expect(result).toEqual({ imported: 0, present: 0, different: ['RG-22222-22223'] })
      expect(await inbox.importMessages([], soon())).toMatchObject({ imported: 0 })
    })

    test('keeps no NUL and no half of a character', async () => {
      const message = 'before\0 \ud800 after'
      const { reference } = await inbox.keep(createMessage({ message, lastName: message }), soon())
      const text = 'before \ufffd after'
      const expected = { message: text, lastName: text }
      expect(await inbox.find(reference, soon())).toMatchObject(expected)
      expect((await inbox.checkHashes({ limit: 9 }, soon())).broken).toEqual([])
    })

    test('checks messages against their hashes, page by page', async () => {
      const kept = [await keep(), await keep(), await keep()].sort()
      await place.tamper(`UPDATE messages SET message = 'changed' WHERE reference = '${kept[1]}'`)
      const first = await inbox.checkHashes({ limit: 2 }, soon())
      expect(first).toEqual({ checked: kept.slice(0, 2), broken: [kept[1]] })
      const second = await inbox.checkHashes({ limit: 2, after: kept[1] }, soon())
      expect(second).toEqual({ checked: kept.slice(2), broken: [] })
    })

    test.each([
      ["DELETE FROM outbox WHERE reference = 'REF'", 'no-outbox-row'],
      ["UPDATE outbox SET due_at = NULL WHERE reference = 'REF'", 'new-not-queued'],
      ["UPDATE messages SET status = 'mailed' WHERE reference = 'REF'", 'queued-not-new'],
    ])('finds a fault: %s', async (sql, code) => {
      const reference = await keep()
      await keep()
      expect(await inbox.findFaults(soon())).toEqual([])
      await place.tamper(sql.replace('REF', reference))
      expect(await inbox.findFaults(soon())).toEqual([{ code, subject: reference }])
    })

    test('counts everything', async () => {
      expect(await inbox.stats(soon())).toEqual({
        counts: { new: 0, mailed: 0, dead: 0, quarantined: 0, archived: 0, unread: 0 },
        rows: { attempts: 0, receipts: 0, hits: 0, audit: 0 },
        bytes: expect.any(Number),
      })
      await keep()
      await keep({ trapped: ['url'] })
      await inbox.audit('list', '', soon())
      const stats = await inbox.stats(soon())
      expect(stats).toMatchObject({
        counts: { new: 1, quarantined: 1, unread: 1 },
        rows: { attempts: 0, receipts: 2, hits: 2, audit: 1 },
        oldest: new Date(NOON + 1).toISOString(),
        newest: new Date(NOON + 2).toISOString(),
      })
      expect(stats.bytes).toBeGreaterThan(10_000)
    })
  })
}
