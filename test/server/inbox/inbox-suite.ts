import { getFingerprint } from '../../../server/inbox/fingerprint.ts'
import type { Inbox, Message } from '../../../server/inbox/inbox.ts'
import { readPages } from '../../../server/inbox/read-pages.ts'
import type { Scrubbing } from '../../../server/inbox/upkeep.ts'
import { createMessage, HOUR, NOON, soon } from './messages.ts'

/** A place for one store; every inbox that it opens uses the same data. */
export interface Place {
  open(options?: { now?: () => number; create?: boolean; mailPerHour?: number }): Inbox
  /** Takes the store's write lock away from it, until the returned function is called. */
  lock(): Promise<() => Promise<void>>
  /** Runs SQL behind the inbox's back. */
  tamper(sql: string): Promise<void>
  read(sql: string): Promise<Record<string, unknown>[]>
  /** Whether the store can remove erased bytes from its files. */
  scrubbing: Scrubbing
  close(): Promise<void>
}

const LIMIT = { limit: 2, windowMs: HOUR }

/** What every kind of inbox must do. */
export function describeInbox(name: string, createPlace: () => Promise<Place>): void {
  describe(name, () => {
    let place: Place
    let time: number
    const now = () => time
    const listAll = (inbox: Inbox) => inbox.list({ limit: 1000, order: 'newest-first' }, soon())

    beforeEach(async () => {
      time = NOON
      place = await createPlace()
    })
    afterEach(() => place.close())

    test('keeps a message with all its fields', async () => {
      const inbox = place.open({ now })
      const receipt = await inbox.keep(createMessage(), soon())
      expect(receipt).toEqual({
        reference: expect.stringMatching(/^RG-[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/),
        receivedAt: '2026-05-04T12:00:00.000Z',
        repeated: false,
      })
      const { address: _, ...content } = createMessage()
      const { reference, receivedAt } = receipt
      const expected = { ...content, reference, receivedAt, status: 'new' }
      expect(await inbox.find(reference, soon())).toEqual(expected)
      expect(await inbox.hasReference(reference, soon())).toBe(true)
      expect(await inbox.hasReference('RG-22222-22222', soon())).toBe(false)
      expect(await inbox.find('RG-22222-22222', soon())).toBeUndefined()
      expect(inbox.state()).toBe('open')
    })

    test.each([
      ['accents and signs', 'Éloïse « ÇŒ » ‽ ᐃᓄᒃᑎᑐᑦ'],
      ['line breaks and tabs', '\n first\n\n\tsecond \n'],
      ['emoji', '👩🏽‍🚒 🇨🇦 e\u0301'],
      ['quotes and SQL', `'; DROP TABLE messages; -- "x" \\ %s \${y}`],
      ['formulas', '=cmd|/c calc!A1'],
    ])('keeps %s to the letter', async (_, message) => {
      const inbox = place.open()
      const { reference } = await inbox.keep(createMessage({ message, lastName: message }), soon())
      expect(await inbox.find(reference, soon())).toMatchObject({ message, lastName: message })
    })

    test('keeps what fell into a trap in quarantine, with the reason', async () => {
      const inbox = place.open()
      const trapped = ['website', 'url']
      const { reference } = await inbox.keep(createMessage({ trapped }), soon())
      expect(await inbox.find(reference, soon())).toMatchObject({ status: 'quarantined', trapped })
      const other = await inbox.keep(createMessage(), soon())
      expect(other.repeated).toBe(false)
      const query = { limit: 10, order: 'newest-first', status: 'quarantined' } as const
      expect(await inbox.list(query, soon())).toMatchObject([{ reference }])
    })

    test('finds the first of the same content from the same address for 24 hours', async () => {
      const inbox = place.open({ now })
      const first = await inbox.keep(createMessage(), soon())
      time += 24 * HOUR - 1
      const message = ` ${createMessage().message}\n`
      const again = await inbox.keep(createMessage({ message }), soon())
      expect(again).toEqual({ ...first, repeated: true })
      expect(await listAll(inbox)).toHaveLength(1)
      time += 1
      expect(await inbox.keep(createMessage(), soon())).toMatchObject({ repeated: false })
      expect(await listAll(inbox)).toHaveLength(2)
    })

    test.each<[string, Parameters<typeof createMessage>[0]]>([
      ['address', { address: '198.51.100.9' }],
      ['name', { firstName: 'Paul' }],
      ['service', { service: '' }],
      ['message', { message: 'Another message' }],
      ['trap', { trapped: ['url'] }],
    ])('takes another %s for a new message', async (_, change) => {
      const inbox = place.open()
      await inbox.keep(createMessage(), soon())
      expect(await inbox.keep(createMessage(change), soon())).toMatchObject({ repeated: false })
    })

    test('finds the first of the same key and content from any address for 24 hours', async () => {
      const inbox = place.open({ now })
      const message = createMessage({ idempotencyKey: 'key' })
      const first = await inbox.keep(message, soon())
      time += 24 * HOUR - 1
      const again = { ...first, repeated: true }
      expect(await inbox.keep({ ...message, address: 'elsewhere' }, soon())).toEqual(again)
      expect(await inbox.findReceipt('key', getFingerprint(message), soon())).toEqual(again)
      expect(await inbox.findReceipt('other', getFingerprint(message), soon())).toBeUndefined()
      expect(await inbox.findReceipt('', getFingerprint(message), soon())).toBeUndefined()
      time += 1
      expect(await inbox.findReceipt('key', getFingerprint(message), soon())).toBeUndefined()
    })

    test('takes the same key with other content for a new message', async () => {
      const inbox = place.open()
      const first = createMessage({ idempotencyKey: 'key' })
      const other = { ...first, message: 'Another message' }
      const receipts = [await inbox.keep(first, soon()), await inbox.keep(other, soon())]
      expect(receipts.map(({ repeated }) => repeated)).toEqual([false, false])
      const found = await inbox.findReceipt('key', getFingerprint(other), soon())
      expect(found?.reference).toBe(receipts[1]?.reference)
    })

    test('remembers a key that came with a repetition only', async () => {
      const inbox = place.open()
      const first = await inbox.keep(createMessage(), soon())
      await inbox.keep(createMessage({ idempotencyKey: 'late' }), soon())
      const found = await inbox.findReceipt('late', getFingerprint(createMessage()), soon())
      expect(found?.reference).toBe(first.reference)
    })

    test('is made once, by however many open it at once', async () => {
      const inboxes = Array.from({ length: 8 }, () => place.open({ now }))
      await Promise.all(inboxes.map((inbox) => inbox.open(soon())))
      const keep = (inbox: Inbox, n: number) =>
        inbox.keep(createMessage({ message: `Message number ${n}` }), soon())
      await Promise.all(inboxes.map(keep))
      expect(await listAll(place.open({ now }))).toHaveLength(8)
    })

    test('makes one message of many at once, over two inboxes', async () => {
      const inboxes = [place.open(), place.open()]
      const receipts = await Promise.all(
        Array.from({ length: 20 }, (_, n) => inboxes[n % 2]?.keep(createMessage(), soon())),
      )
      expect(new Set(receipts.map((receipt) => receipt?.reference)).size).toBe(1)
      expect(receipts.filter((receipt) => !receipt?.repeated)).toHaveLength(1)
      expect(await listAll(inboxes[0] as Inbox)).toHaveLength(1)
    })

    test('counts hits of an address in a sliding window', async () => {
      const inbox = place.open({ now })
      const hit = async (address = 'a') => {
        const { hits, resetTime } = await inbox.hit(address, LIMIT, soon())
        return [hits, resetTime.getTime() - NOON]
      }
      expect(await hit()).toEqual([1, HOUR])
      time += HOUR / 2
      expect(await hit()).toEqual([2, HOUR])
      expect(await hit()).toEqual([3, HOUR])
      expect(await hit('b')).toEqual([1, 1.5 * HOUR])
      time += HOUR / 2 - 1
      expect(await hit()).toEqual([3, HOUR])
      time += 1
      expect(await hit()).toEqual([2, 1.5 * HOUR])
      expect(await hit()).toEqual([3, 1.5 * HOUR])
    })

    test.each([
      ['a day', 24 * HOUR],
      ['a year', 365 * 24 * HOUR],
    ])('is not locked by hits of a clock that was %s ahead', async (_, error) => {
      const inbox = place.open({ now })
      time += error
      const hit = async () => (await inbox.hit('a', LIMIT, soon())).hits
      expect([await hit(), await hit(), await hit()]).toEqual([1, 2, 3])
      time -= error
      expect(await hit()).toBe(1)
      time += error
      expect(await hit()).toBe(1)
    })

    test('gives back exactly the hit it is asked for', async () => {
      const inbox = place.open({ now })
      const first = await inbox.hit('a', LIMIT, soon())
      time += 1
      await inbox.hit('a', LIMIT, soon())
      const refused = await inbox.hit('a', LIMIT, soon())
      await inbox.giveBack(refused, soon())
      expect(await inbox.hit('a', LIMIT, soon())).toMatchObject({ hits: 3 })
      await inbox.giveBack(first, soon())
      const next = await inbox.hit('a', LIMIT, soon())
      expect([next.hits, next.resetTime.getTime()]).toEqual([2, NOON + 1 + HOUR])
    })

    test('lets exactly the limit of concurrent hits through, over two inboxes', async () => {
      const inboxes = [place.open(), place.open()]
      const hits = await Promise.all(
        Array.from({ length: 25 }, (_, n) => inboxes[n % 2]?.hit('a', LIMIT, soon())),
      )
      expect(hits.filter((hit) => Number(hit?.hits) <= LIMIT.limit)).toHaveLength(LIMIT.limit)
    })

    test('remembers everything after a restart', async () => {
      const before = place.open()
      const { reference } = await before.keep(createMessage({ idempotencyKey: 'key' }), soon())
      await before.hit('a', LIMIT, soon())
      await before.close()
      const after = place.open()
      expect(await after.keep(createMessage(), soon())).toMatchObject({ reference, repeated: true })
      expect(await after.hit('a', LIMIT, soon())).toMatchObject({ hits: 2 })
      expect(await after.hasReference(reference, soon())).toBe(true)
    })

    test('lists in both orders and in pages, messages of the same moment included', async () => {
      const inbox = place.open({ now })
      const kept: string[] = []
      for (const round of [1, 2, 3, 4]) {
        time += 1
        // In pieces: however slow the machine, a few at once wait for no connection until it is too late.
        for (let piece = 0; piece < 7; piece++) {
          const messages = Array.from({ length: 43 }, (_, n) => `Message ${round}-${piece}-${n}`)
          const receipts = await Promise.all(
            messages.map((message) => inbox.keep(createMessage({ message }), soon())),
          )
          kept.push(...receipts.map(({ reference }) => reference))
        }
      }
      const read = async (order: 'newest-first' | 'oldest-first') => {
        const messages: Message[] = []
        for await (const page of readPages(inbox, { order, patience: 5000 })) messages.push(...page)
        return messages.map(({ reference }) => reference)
      }
      const oldestFirst = await read('oldest-first')
      expect([...oldestFirst].sort()).toEqual(kept.sort())
      expect((await read('newest-first')).reverse()).toEqual(oldestFirst)
      const [newest] = await inbox.list({ limit: 1, order: 'newest-first' }, soon())
      expect(newest?.reference).toBe(oldestFirst.at(-1))
    })

    test('keeps nothing of a request whose deadline has passed', async () => {
      const inbox = place.open()
      const late = inbox.keep(createMessage(), Date.now())
      await expect(late).rejects.toMatchObject({ reason: 'deadline' })
      expect(await listAll(inbox)).toEqual([])
    })

    test('rejects in time under a foreign lock, keeps nothing of it, and works again', async () => {
      const inbox = place.open()
      await inbox.open(soon())
      const unlock = await place.lock()
      const start = performance.now()
      const calls = Array.from({ length: 10 }, (_, n) =>
        inbox.keep(createMessage({ message: `Too late ${n}` }), Date.now() + 600),
      )
      for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
        expect(reason.name).toBe('InboxUnavailable')
        // A call that has not come to the lock knows only that its time was up.
        expect(['locked', 'deadline']).toContain(reason.reason)
      }
      expect(performance.now() - start).toBeLessThan(900)
      expect(inbox.state()).toBe('unavailable')
      expect(await listAll(inbox)).toEqual([])
      const patient = inbox.keep(createMessage(), soon())
      await unlock()
      const { reference } = await patient
      expect(await listAll(inbox)).toMatchObject([{ reference }])
      expect(inbox.state()).toBe('open')
    })

    test('gives a hit back later when it cannot at once', async () => {
      const inbox = place.open({ now })
      const hit = await inbox.hit('a', { limit: 1, windowMs: HOUR }, soon())
      time += 1
      const unlock = await place.lock()
      await inbox.giveBack(hit, Date.now() + 50)
      await unlock()
      const isCounted = async () =>
        (await inbox.hit('a', { limit: 0, windowMs: HOUR }, soon())).resetTime.getTime() ===
        hit.resetTime.getTime()
      expect(await isCounted()).toBe(true)
      while (await isCounted()) await new Promise((resolve) => setTimeout(resolve, 50))
    })

    test('finishes what was asked for before it closes, and refuses what comes later', async () => {
      const inbox = place.open()
      const kept = inbox.keep(createMessage(), soon())
      await inbox.close()
      expect(await kept).toMatchObject({ repeated: false })
      const late = inbox.keep(createMessage(), soon())
      await expect(late).rejects.toMatchObject({ reason: 'closed' })
      expect(inbox.state()).toBe('closed')
      await inbox.close()
    })
  })
}
