import { createHitStore } from '../../../server/contact/limit.ts'
import { purge } from '../../../server/inbox/erase.ts'
import { keepMessage } from '../../../server/inbox/keep-message.ts'
import { findMessage, listMessages } from '../../../server/inbox/messages.ts'
import { archive, release } from '../../../server/inbox/triage.ts'
import { createMessage, DAY_MS, HOUR_MS, NOON, PERIODS } from '../../support/inbox.ts'
import { setUpStore, type TestDatabase } from './databases.ts'

const LIMIT = [2, HOUR_MS] as const

/** The tests of messages, limits and retention, for every kind of store. */
export function describeStore(
  name: string,
  createDatabase: () => TestDatabase | Promise<TestDatabase>,
  /** SQL that makes the database one of a newer build. */
  newerBuild: string,
): void {
  describe(name, () => {
    const { database, store, clock, open, keep } = setUpStore(createDatabase)

    const hit = async (network = 'a', from = store) =>
      (await createHitStore(from, ...LIMIT).increment(network)).totalHits
    const listReferences = async () =>
      (await listMessages(store, {})).map(({ reference }) => reference)

    test('keeps a message with all its fields, and any text to the letter', async () => {
      const text = `\n Éloïse « ÇŒ » ‽ ᐃᓄᒃᑎᑐᑦ\n\t👩🏽‍🚒 🇨🇦 e\u0301 '; DROP TABLE messages; -- "x" \\ %s \${y} \n`
      const { network, ...content } = createMessage({ message: text, lastName: text })
      const receipt = await keepMessage(store, { ...content, network })
      expect(receipt).toEqual({
        reference: expect.stringMatching(/^RG-[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/),
        receivedAt: '2026-05-04T12:00:00.000Z',
        outcome: 'accepted',
      })
      const { outcome: _, ...kept } = receipt
      const found = await findMessage(store, receipt.reference)
      expect(found).toEqual({ ...content, ...kept, status: 'new' })
      expect(await findMessage(store, 'RG-22222-22222')).toBeUndefined()
    })

    test('recognizes the same content from the same address for 24 hours', async () => {
      const first = await keepMessage(store, createMessage())
      clock.time += DAY_MS - 1
      const again = createMessage({ message: ` ${createMessage().message}\n`, language: 'en' })
      expect(await keepMessage(store, again)).toEqual({ ...first, outcome: 'repeated' })
      clock.time += 1
      expect(await keepMessage(store, again)).toMatchObject({ outcome: 'accepted' })
      expect(await listReferences()).toHaveLength(2)
    })

    test('treats another sender, field or trap as a new message', async () => {
      const name = { firstName: 'A B', lastName: 'C' }
      for (const change of [
        {},
        { network: '198.51.100.9' },
        { firstName: 'Paul' },
        { firstName: 'A', lastName: 'B C' },
        { email: 'Zoe@exemple.ca' },
        { service: '' as const },
        { message: 'Another message' },
        { trapped: ['url'] },
      ]) {
        const { outcome } = await keepMessage(store, createMessage({ ...name, ...change }))
        expect([change, outcome]).not.toEqual([change, 'repeated'])
      }
    })

    test('counts the hits of an address in a sliding window, and gives one back', async () => {
      expect(await hit()).toBe(1)
      clock.time += HOUR_MS / 2
      expect([await hit(), await hit(), await hit('b')]).toEqual([2, 3, 1])
      clock.time += HOUR_MS / 2
      // A refused hit has not counted.
      expect(await hit()).toBe(2)
      await createHitStore(store, ...LIMIT).decrement('a')
      expect([await hit(), await hit()]).toEqual([2, 3])
    })

    test('lets exactly the limit through at once, and keeps one of equal messages, over two stores', async () => {
      const stores = [open(), open()]
      await Promise.all(stores.map((each) => each.transaction(() => {})))
      const twenty = Array.from({ length: 20 }, (_, n) => stores[n % 2] ?? store)
      const hits = await Promise.all(twenty.map((each) => hit('a', each)))
      expect(hits.sort()).toEqual([1, 2, ...Array(18).fill(3)])
      const receipts = await Promise.all(twenty.map((each) => keepMessage(each, createMessage())))
      expect(receipts.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1)
      expect(new Set(receipts.map(({ reference }) => reference)).size).toBe(1)
      expect(await listReferences()).toHaveLength(1)
    })

    test('is created once, even if many open it at once, and not without `create`', async () => {
      const missing = open({ create: false }).transaction(() => {})
      await expect(missing).rejects.toMatchObject({ reason: 'missing' })
      const stores = Array.from({ length: 8 }, () => open())
      await Promise.all(stores.map((each) => each.transaction(() => {})))
      for (const [n, each] of stores.entries()) {
        await keepMessage(each, createMessage({ message: `${n}` }))
      }
      expect(await listReferences()).toHaveLength(8)
    })

    test('is refused when a newer build has written it', async () => {
      await keep()
      await database.tamper(newerBuild)
      const refused = open().transaction(() => {})
      await expect(refused).rejects.toMatchObject({ reason: 'newer-build' })
    })

    test('keeps nothing of a transaction that fails', async () => {
      const failing = store.transaction(async (db) => {
        await db.change("INSERT INTO hits (address, hit_at) VALUES ('a', $1)", [db.now])
        throw new Error('Something else')
      })
      await expect(failing).rejects.toThrow('Something else')
      expect(await hit()).toBe(1)
      expect(store.state()).toBe('open')
    })

    test('rejects in time under a foreign lock, keeps nothing, and heals by itself', async () => {
      const lines: string[] = []
      const log = {
        info: (_: object, text: string) => lines.push(text),
        error: ({ reason }: { reason: string }, text: string) => lines.push(`${text}: ${reason}`),
      }
      const locked = open({ timeoutMs: 300, log: log as never })
      await locked.transaction(() => {}, { timeoutMs: 60_000 })
      const unlock = await database.lock()
      const calls = Array.from({ length: 10 }, (_, n) =>
        keepMessage(locked, createMessage({ message: `Too late ${n}` })),
      )
      for (const result of await Promise.allSettled(calls)) {
        expect(result).toMatchObject({ reason: { name: 'StoreUnavailable' } })
      }
      expect(locked.state()).toBe('unavailable')
      expect(await listReferences()).toEqual([])
      await unlock()
      while (locked.state() !== 'open') await new Promise((resolve) => setTimeout(resolve, 20))
      await keep()
      expect(await listReferences()).toHaveLength(1)
      expect([lines.at(0), lines.at(-1)]).toEqual(['inbox open', 'inbox open'])
      const outage = lines.slice(1, -1)
      expect(outage).not.toEqual([])
      expect(outage.every((line) => line.startsWith('inbox unavailable'))).toBe(true)
      // The log names each reason once.
      expect(new Set(outage).size).toBe(outage.length)
    })

    test('erases what has expired a day after it was first found expired', async () => {
      const trapped = { trapped: ['url'] }
      const spam = await keep(trapped)
      const archivedSpam = await keep(trapped)
      const released = await keep(trapped)
      const plain = await keep()
      await release(store, released)
      await archive(store, archivedSpam)
      await archive(store, plain)
      await hit()
      const purgeAt = (days: number) => {
        clock.time = NOON + days * DAY_MS
        return purge(store, PERIODS)
      }
      expect(await purgeAt(29)).toEqual({ erased: 0, waiting: 0 })
      for (const table of ['hits', 'receipts']) {
        expect(await database.read(`SELECT 1 FROM ${table}`)).toEqual([])
      }
      expect(await purgeAt(30.1)).toEqual({ erased: 0, waiting: 2 })
      expect(await purgeAt(31)).toEqual({ erased: 0, waiting: 2 })
      expect(await listReferences()).toEqual([spam, archivedSpam, released, plain])
      expect(await purgeAt(31.1)).toEqual({ erased: 2, waiting: 0 })
      expect(await listReferences()).toEqual([released, plain])
      expect(await purgeAt(731)).toEqual({ erased: 0, waiting: 2 })
      expect(await purgeAt(732)).toEqual({ erased: 2, waiting: 0 })
    })
  })
}
