import { createMessage, createStored, DAY_MS, HOUR_MS, NOON, PERIODS } from '../../support/inbox.ts'
import { type Place, setUpInbox } from './places.ts'

/** The tests of maintenance, for every kind of inbox. */
export function describeUpkeep(name: string, createPlace: () => Promise<Place>): void {
  describe(name, () => {
    const { place, inbox, clock, keep } = setUpInbox(createPlace)

    const list = async () =>
      (await inbox.list({ limit: 1000, order: 'oldest-first' })).map(({ reference }) => reference)

    test('erases one message with its rows in other tables', async () => {
      const [erased, kept] = [await keep({ idempotencyKey: 'key' }), await keep()]
      for (const mail of await inbox.lease({ limit: 2, leaseMs: 1 })) {
        await inbox.settle(mail, { kind: 'later', afterMs: 0, error: '' })
      }
      expect(await inbox.eraseReference(erased)).toBe(true)
      expect(await inbox.eraseReference(erased)).toBe(false)
      expect(await list()).toEqual([kept])
      const { rows } = await inbox.stats()
      expect(rows).toMatchObject({ attempts: 1, receipts: 1 })
      expect(await inbox.findFaults()).toEqual([])
      expect(await inbox.scrub(true)).toBe(place.scrubbing)
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
      const pieces = [await inbox.eraseEmail(asked, 3), await inbox.eraseEmail(asked, 3)]
      expect(pieces.map(({ more }) => more)).toEqual([true, false])
      expect(pieces.flatMap(({ references }) => references)).toHaveLength(spellings.length)
      expect(await inbox.eraseEmail(asked, 3)).toEqual({ references: [], more: false })
      expect(await list()).toEqual(kept)
    })

    test('records an erasure in the same transaction', async () => {
      const references = [await keep(), await keep({ email: 'a@exemple.ca' })]
      const eraseFirst = () => inbox.eraseReference(references[0] ?? '')
      const eraseSecond = () => inbox.eraseEmail('a@exemple.ca', 9)
      await place.tamper('ALTER TABLE audit RENAME TO away')
      await expect(eraseFirst()).rejects.toThrow()
      await expect(eraseSecond()).rejects.toThrow()
      expect(await list()).toEqual(references)
      await place.tamper('ALTER TABLE away RENAME TO audit')
      await eraseFirst()
      await eraseSecond()
      expect(await list()).toEqual([])
      expect(await eraseFirst()).toBe(false)
      const noted = await place.read('SELECT action, subject FROM audit ORDER BY id')
      expect(noted).toEqual(references.map((subject) => ({ action: 'erase', subject })))
    })

    test('erases a mailbox among messages of an older build, in pieces', async () => {
      const spellings = ['zoe@exemple.québec', 'a@exemple.ca', 'ZOE@exemple.QUÉBEC', 'b@exemple.ca']
      for (const email of spellings) await keep({ email })
      await place.tamper('UPDATE messages SET mailbox = NULL')
      await keep({ email: 'zoe@exemple.que\u0301bec' })
      const erase = () => inbox.eraseEmail('zoe@exemple.xn--qubec-csa', 3)
      const pieces = [await erase(), await erase()]
      expect(pieces.map(({ more }) => more)).toEqual([true, false])
      expect(pieces.flatMap(({ references }) => references)).toHaveLength(3)
      const left = await inbox.list({ limit: 9, order: 'oldest-first' })
      expect(left.map(({ email }) => email)).toEqual(['a@exemple.ca', 'b@exemple.ca'])
      expect(await place.read('SELECT mailbox FROM messages WHERE mailbox IS NULL')).toEqual([])
    })

    test('measures how many messages wait, and for how long', async () => {
      const nothing = { count: 0 }
      expect(await inbox.measure()).toEqual({
        queued: nothing,
        held: nothing,
        quarantined: nothing,
        dead: nothing,
      })
      const [first] = [await keep(), await keep()]
      await keep({ trapped: ['url'] })
      const dead = await inbox.lease({ limit: 1, leaseMs: HOUR_MS })
      expect(dead.map(({ message }) => message.reference)).toEqual([first])
      const [mail] = dead
      const leased = { count: 2, waitedMs: 2 }
      const quarantined = { count: 1, waitedMs: 0 }
      const held = nothing
      expect(await inbox.measure()).toEqual({
        queued: leased,
        held,
        quarantined,
        dead: nothing,
      })
      if (mail) await inbox.settle(mail, { kind: 'dead', error: '' })
      expect(await inbox.measure()).toEqual({
        queued: { count: 1, waitedMs: 1 },
        held,
        quarantined,
        dead: { count: 1, waitedMs: 2 },
      })
    })

    test('purges messages past their time, in pieces, and nothing else', async () => {
      await keep({ trapped: ['url'] })
      const waiting = await keep()
      await inbox.audit('list', '')
      await inbox.leaseDigest(1)
      await inbox.confirmDigest('2026-05-04')
      const purge = (limit = 100) => inbox.purge(PERIODS, limit)
      const nothing = { messages: 0, more: false }
      expect(await purge()).toEqual(nothing)
      clock.time = NOON + 30 * DAY_MS
      expect(await purge()).toEqual(nothing)
      clock.time += 1
      const young = await keep()
      expect(await purge()).toEqual({ messages: 1, more: false })
      expect(await list()).toEqual([waiting, young])
      expect((await inbox.stats()).rows).toMatchObject({ receipts: 1, hits: 1, audit: 1 })
      clock.time = NOON + 730 * DAY_MS + 2
      expect(await purge(1)).toEqual({ messages: 1, more: true })
      expect(await purge(1)).toEqual(nothing)
      expect(await list()).toEqual([young])
      expect((await inbox.stats()).rows).toMatchObject({ receipts: 0, audit: 0 })
      expect((await inbox.stats()).bytes).toBeGreaterThan(0)
      expect(await place.read('SELECT date FROM digests')).toEqual([])
    })

    test('purges hits of a clock that was days ahead', async () => {
      clock.time += 2 * DAY_MS
      await keep()
      clock.time -= 2 * DAY_MS
      await keep({ address: 'another' })
      await inbox.purge(PERIODS, 100)
      expect((await inbox.stats()).rows).toMatchObject({ hits: 1 })
    })

    test('purges in pieces of at most the limit', async () => {
      for (let count = 0; count < 3; count++) await keep({ trapped: ['url'] })
      for (let count = 0; count < 3; count++) await keep()
      clock.time = NOON + 800 * DAY_MS
      const purge = async () => (await inbox.purge(PERIODS, 2)).messages
      expect([await purge(), await purge(), await purge(), await purge()]).toEqual([2, 2, 2, 0])
    })

    test('reports that more rows of other tables are left than the limit', async () => {
      for (let count = 0; count < 5; count++) await keep()
      const purge = () => inbox.purge(PERIODS, 2)
      clock.time += HOUR_MS
      const [piece, last] = [true, false].map((more) => ({ messages: 0, more }))
      expect([await purge(), await purge(), await purge()]).toEqual([piece, piece, last])
      expect((await inbox.stats()).rows).toMatchObject({ receipts: 5, hits: 0 })
      clock.time += DAY_MS
      expect([await purge(), await purge(), await purge()]).toEqual([piece, piece, last])
      expect((await inbox.stats()).rows).toMatchObject({ receipts: 0 })
      expect(await list()).toHaveLength(5)
    })

    test('imports a message once, and reports other content under its reference', async () => {
      const [message, other] = [createStored(), createStored({ message: 'Something else' })]
      const different = ['RG-AAAAA-BBBBB']
      expect(await inbox.importMessages([message, message, other])).toEqual({
        imported: 1,
        present: 1,
        different,
      })
      expect(await inbox.importMessages([other])).toEqual({ imported: 0, present: 0, different })
      expect(await inbox.importMessages([])).toMatchObject({ imported: 0 })
    })

    test('keeps no NUL and no half of a character', async () => {
      const message = 'before\0 \ud800 after'
      const { reference } = await inbox.keep(createMessage({ message, lastName: message }))
      const text = 'before \ufffd after'
      const expected = { message: text, lastName: text }
      expect(await inbox.find(reference)).toMatchObject(expected)
      expect((await inbox.checkHashes({ limit: 9 })).broken).toEqual([])
    })

    test('checks messages against their hashes, in batches', async () => {
      const kept = [await keep(), await keep(), await keep()].sort()
      await place.tamper(`UPDATE messages SET message = 'changed' WHERE reference = '${kept[1]}'`)
      const first = await inbox.checkHashes({ limit: 2 })
      expect(first).toEqual({ checked: kept.slice(0, 2), broken: [kept[1]] })
      const second = await inbox.checkHashes({ limit: 2, after: kept[1] })
      expect(second).toEqual({ checked: kept.slice(2), broken: [] })
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

    test('counts everything', async () => {
      expect(await inbox.stats()).toEqual({
        counts: { new: 0, mailed: 0, dead: 0, quarantined: 0, archived: 0, unread: 0 },
        rows: { attempts: 0, receipts: 0, hits: 0, audit: 0 },
        bytes: expect.any(Number),
      })
      await keep()
      await keep({ trapped: ['url'] })
      await inbox.audit('list', '')
      const stats = await inbox.stats()
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
