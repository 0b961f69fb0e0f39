import { createMessage, DAY_MS, HOUR_MS, NOON, PERIODS } from '../../support/inbox.ts'
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
      expect(await inbox.eraseReference(erased)).toBe(true)
      expect(await inbox.eraseReference(erased)).toBe(false)
      expect(await list()).toEqual([kept])
      expect([await countRows('attempts'), await countRows('receipts')]).toEqual([1, 1])
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

    test('measures how many messages wait, and for how long', async () => {
      const none = { count: 0 }
      const nothing = { queued: none, held: none, quarantined: none, dead: none }
      expect(await inbox.measure()).toEqual(nothing)
      const first = await keep()
      await keep()
      await keep({ trapped: ['url'] })
      const [mail] = await inbox.lease({ limit: 1, leaseMs: HOUR_MS })
      if (mail?.id !== first) throw new Error('Another mail was leased')
      const waiting = { ...nothing, quarantined: { count: 1, waitedMs: 0 } }
      expect(await inbox.measure()).toEqual({ ...waiting, queued: { count: 2, waitedMs: 2 } })
      await inbox.settle(mail, { kind: 'dead', error: '' })
      expect(await inbox.measure()).toEqual({
        ...waiting,
        queued: { count: 1, waitedMs: 1 },
        dead: { count: 1, waitedMs: 2 },
      })
      // After a retry, the wait is still measured from the arrival of the message.
      await inbox.retry(first)
      expect((await inbox.measure()).queued).toEqual({ count: 2, waitedMs: 2 })
    })

    test('purges messages past their time, in pieces, and nothing else', async () => {
      await keep({ trapped: ['url'] })
      const waiting = await keep()
      await inbox.audit('list', '')
      await inbox.queueDigest()
      const purge = (limit = 100) => inbox.purge(PERIODS, limit)
      const nothing = { messages: 0, more: false }
      expect(await purge()).toEqual(nothing)
      clock.time = NOON + 30 * DAY_MS
      expect(await purge()).toEqual(nothing)
      clock.time += 1
      const young = await keep()
      expect(await purge()).toEqual({ messages: 1, more: false })
      expect(await list()).toEqual([waiting, young])
      const counted = ['receipts', 'hits', 'audit', 'outbox']
      const countAll = () => Promise.all(counted.map(countRows))
      expect(await countAll()).toEqual([1, 1, 1, 3])
      clock.time = NOON + 730 * DAY_MS + 2
      expect(await purge(1)).toEqual({ messages: 1, more: true })
      expect(await purge(1)).toEqual(nothing)
      expect(await list()).toEqual([young])
      expect(await countAll()).toEqual([0, 0, 0, 1])
    })

    test('purges hits and receipts of a clock that was days ahead', async () => {
      clock.time += 2 * DAY_MS
      await keep()
      clock.time -= 2 * DAY_MS
      await keep({ address: 'another' })
      await inbox.purge(PERIODS, 100)
      expect([await countRows('hits'), await countRows('receipts')]).toEqual([1, 1])
    })

    test('reports that more rows of other tables are left than the limit', async () => {
      for (let count = 0; count < 5; count++) await keep()
      const purge = () => inbox.purge(PERIODS, 2)
      clock.time += HOUR_MS
      const [piece, last] = [true, false].map((more) => ({ messages: 0, more }))
      expect([await purge(), await purge(), await purge()]).toEqual([piece, piece, last])
      expect([await countRows('receipts'), await countRows('hits')]).toEqual([5, 0])
      clock.time += DAY_MS
      expect([await purge(), await purge(), await purge()]).toEqual([piece, piece, last])
      expect(await countRows('receipts')).toBe(0)
      expect(await list()).toHaveLength(5)
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
