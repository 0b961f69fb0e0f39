import { readBatches } from '../../../server/inbox/command/browse.ts'
import type { Message, Scrubbing } from '../../../server/inbox/inbox.ts'
import type { InboxLog } from '../../../server/inbox/inbox-facade.ts'
import { createReference } from '../../../server/inbox/message.ts'
import { createMessage, HOUR, NOON, soon } from './messages.ts'
import type { TestInbox as Inbox } from './test-inbox.ts'

/** One store for a test; every inbox that it opens uses the same data. */
export interface Place {
  open(options?: {
    now?: () => number
    create?: boolean
    log?: InboxLog
    mailPerHour?: number
  }): Inbox
  /** Holds the store's write lock until the returned function is called. */
  lock(): Promise<() => Promise<void>>
  /** Runs SQL outside the inbox. */
  tamper(sql: string): Promise<void>
  read(sql: string): Promise<Record<string, unknown>[]>
  /** The result of `scrub` in this store. */
  scrubbing: Scrubbing
  close(): Promise<void>
}

const LIMIT = { limit: 2, windowMs: HOUR }

/** The tests of messages, limits and deadlines, for every kind of inbox. */
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

    test('quarantines a message that filled a trap, with the names of the traps', async () => {
      const inbox = place.open()
      const trapped = ['website', 'url']
      const { reference } = await inbox.keep(createMessage({ trapped }), soon())
      expect(await inbox.find(reference, soon())).toMatchObject({ status: 'quarantined', trapped })
      const other = await inbox.keep(createMessage(), soon())
      expect(other.repeated).toBe(false)
      const query = { limit: 10, order: 'newest-first', status: 'quarantined' } as const
      expect(await inbox.list(query, soon())).toMatchObject([{ reference }])
    })

    test('recognizes the same content from the same address for 24 hours', async () => {
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
    ])('treats another %s as a new message', async (_, change) => {
      const inbox = place.open()
      await inbox.keep(createMessage(), soon())
      expect(await inbox.keep(createMessage(change), soon())).toMatchObject({ repeated: false })
    })

    test('recognizes the same key and content from any address for 24 hours', async () => {
      const inbox = place.open({ now })
      const message = createMessage({ idempotencyKey: 'key' })
      const first = await inbox.keep(message, soon())
      time += 24 * HOUR - 1
      const again = { ...first, repeated: true }
      const elsewhere = { ...message, address: 'elsewhere' }
      expect(await inbox.keep(elsewhere, soon())).toEqual(again)
      for (const idempotencyKey of ['other', '', undefined]) {
        const keyed = createMessage({ idempotencyKey, address: `with ${idempotencyKey}` })
        expect(await inbox.keep(keyed, soon())).toMatchObject({ repeated: false })
      }
      time += 1
      expect(await inbox.keep(elsewhere, soon())).toMatchObject({ repeated: false })
    })

    test('treats the same key with other content as a new message', async () => {
      const inbox = place.open()
      const first = createMessage({ idempotencyKey: 'key' })
      const other = { ...first, message: 'Another message' }
      const receipts = [await inbox.keep(first, soon()), await inbox.keep(other, soon())]
      expect(receipts.map(({ repeated }) => repeated)).toEqual([false, false])
      const found = await inbox.keep({ ...other, address: 'elsewhere' }, soon())
      expect(found).toEqual({ ...receipts[1], repeated: true })
    })

    test('remembers a key that came with a repetition only', async () => {
      const inbox = place.open()
      const first = await inbox.keep(createMessage(), soon())
      const late = createMessage({ idempotencyKey: 'late' })
      await inbox.keep(late, soon())
      const found = await inbox.keep({ ...late, address: 'elsewhere' }, soon())
      expect(found).toEqual({ ...first, repeated: true })
    })

    test('is created once, even if many open it at once', async () => {
      const inboxes = Array.from({ length: 8 }, () => place.open({ now }))
      await Promise.all(inboxes.map((inbox) => inbox.open(soon())))
      const keep = (inbox: Inbox, n: number) =>
        inbox.keep(createMessage({ message: `Message number ${n}` }), soon())
      await Promise.all(inboxes.map(keep))
      expect(await listAll(place.open({ now }))).toHaveLength(8)
    })

    test('keeps one message of many equal ones at once, over two inboxes', async () => {
      const inboxes = [place.open(), place.open()]
      const receipts = await Promise.all(
        Array.from({ length: 20 }, (_, n) => inboxes[n % 2]?.keep(createMessage(), soon())),
      )
      expect(new Set(receipts.map((receipt) => receipt?.reference)).size).toBe(1)
      expect(receipts.filter((receipt) => !receipt?.repeated)).toHaveLength(1)
      expect(await listAll(inboxes[0] as Inbox)).toHaveLength(1)
    })

    test('counts the messages of an address in a sliding window, and keeps none beyond', async () => {
      const inbox = place.open({ now })
      let count = 0
      const submit = async (address = 'a') => {
        const message = createMessage({ address, message: `Message number ${++count}` })
        const { count: hits, resetInMs, receipt } = await inbox.submit(message, LIMIT, soon())
        expect(receipt === undefined).toBe(hits > LIMIT.limit)
        return [hits, resetInMs]
      }
      expect(await submit()).toEqual([1, HOUR])
      time += HOUR / 2
      expect(await submit()).toEqual([2, HOUR / 2])
      expect(await submit()).toEqual([3, HOUR / 2])
      expect(await submit('b')).toEqual([1, HOUR])
      time += HOUR / 2 - 1
      expect(await submit()).toEqual([3, 1])
      time += 1
      expect(await submit()).toEqual([2, HOUR / 2])
      expect(await submit()).toEqual([3, HOUR / 2])
      expect(await listAll(inbox)).toHaveLength(4)
    })

    test.each([
      ['a day', 24 * HOUR],
      ['a year', 365 * 24 * HOUR],
    ])('is not locked by hits of a clock that was %s ahead', async (_, error) => {
      const inbox = place.open({ now })
      let count = 0
      const submit = async () => {
        const message = createMessage({ message: `Message number ${++count}` })
        return (await inbox.submit(message, LIMIT, soon())).count
      }
      time += error
      expect([await submit(), await submit(), await submit()]).toEqual([1, 2, 3])
      time -= error
      expect(await submit()).toBe(1)
      time += error
      expect(await submit()).toBe(1)
    })

    test.each([
      ['of a longer window that was set before', 0, 4 * HOUR],
      ['of a clock that was some hours ahead', 5 * HOUR, HOUR],
    ])('counts hits %s, for one window at most', async (_, error, windowMs) => {
      const inbox = place.open({ now })
      let sent = 0
      const submit = async (limit = LIMIT) => {
        const message = createMessage({ message: `Message number ${++sent}` })
        const { count, resetInMs } = await inbox.submit(message, limit, soon())
        return [count, resetInMs]
      }
      time += error
      await submit({ ...LIMIT, windowMs })
      time -= error
      expect(await submit()).toEqual([2, HOUR])
      time += HOUR / 2
      expect(await submit()).toEqual([3, HOUR / 2])
      time += HOUR / 2
      expect(await submit()).toEqual([1, HOUR])
    })

    test('counts a repetition, and not one by the same key', async () => {
      const inbox = place.open({ now })
      const submit = async (idempotencyKey?: string) => {
        const message = createMessage({ idempotencyKey })
        const { count, receipt } = await inbox.submit(message, LIMIT, soon())
        return [count, receipt?.repeated]
      }
      expect(await submit('key')).toEqual([1, false])
      expect(await submit('key')).toEqual([1, true])
      expect(await submit()).toEqual([2, true])
      expect(await submit('key')).toEqual([2, true])
      expect(await submit()).toEqual([3, undefined])
    })

    test('lets exactly the limit of messages through at once, over two inboxes', async () => {
      const inboxes = [place.open(), place.open()]
      const submissions = await Promise.all(
        Array.from({ length: 25 }, (_, n) =>
          inboxes[n % 2]?.submit(createMessage({ message: `Message ${n}` }), LIMIT, soon()),
        ),
      )
      expect(submissions.filter((each) => each?.receipt)).toHaveLength(LIMIT.limit)
      expect(await listAll(place.open())).toHaveLength(LIMIT.limit)
    })

    test('counts no message that it cannot keep', async () => {
      const inbox = place.open()
      const submit = (deadline = soon()) =>
        inbox.submit(createMessage({ idempotencyKey: 'key' }), LIMIT, deadline)
      await inbox.open(soon())
      const unlock = await place.lock()
      const late = [submit(Date.now() + 200), submit(Date.now() + 200)]
      for (const { status } of await Promise.allSettled(late)) expect(status).toBe('rejected')
      await unlock()
      expect(await submit()).toMatchObject({ count: 1, receipt: { repeated: false } })
    })

    test('remembers everything after a restart', async () => {
      const before = place.open()
      const { reference } = await before.keep(createMessage({ idempotencyKey: 'key' }), soon())
      const other = createMessage({ address: 'a' })
      await before.submit(other, LIMIT, soon())
      await before.close()
      const after = place.open()
      expect(await after.keep(createMessage(), soon())).toMatchObject({ reference, repeated: true })
      expect(await after.submit(other, LIMIT, soon())).toMatchObject({ count: 2 })
      expect(await after.hasReference(reference, soon())).toBe(true)
    })

    test('lists in both orders and in batches, messages of the same moment included', async () => {
      const inbox = place.open({ now })
      const { address: _, ...content } = createMessage()
      const kept: string[] = []
      for (const round of [1, 2, 3, 4]) {
        const receivedAt = new Date(NOON + round).toISOString()
        const messages = Array.from({ length: 301 }, () => {
          return { ...content, reference: createReference(), receivedAt, status: 'new' as const }
        })
        await inbox.importMessages(messages, soon())
        kept.push(...messages.map(({ reference }) => reference))
      }
      const read = async (order: 'newest-first' | 'oldest-first') => {
        const messages: Message[] = []
        for await (const page of readBatches(inbox, { order })) messages.push(...page)
        return messages.map(({ reference }) => reference)
      }
      const oldestFirst = await read('oldest-first')
      expect([...oldestFirst].sort()).toEqual(kept.sort())
      expect((await read('newest-first')).reverse()).toEqual(oldestFirst)
      const [newest] = await inbox.list({ limit: 1, order: 'newest-first' }, soon())
      expect(newest?.reference).toBe(oldestFirst.at(-1))
    })

    test('keeps no request whose deadline has passed', async () => {
      const inbox = place.open()
      const late = inbox.keep(createMessage(), Date.now())
      await expect(late).rejects.toMatchObject({ reason: 'deadline' })
      expect(await listAll(inbox)).toEqual([])
    })

    test('rejects in time under a foreign lock, keeps nothing, and works again', async () => {
      const inbox = place.open()
      await inbox.open(soon())
      const unlock = await place.lock()
      const calls = Array.from({ length: 10 }, (_, n) =>
        inbox.keep(createMessage({ message: `Too late ${n}` }), Date.now() + 600),
      )
      for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
        expect(reason.name).toBe('InboxUnavailable')
        // A call that has not come to the lock knows only that its time was up.
        expect(['locked', 'deadline']).toContain(reason.reason)
      }
      expect(inbox.state()).toBe('unavailable')
      expect(await listAll(inbox)).toEqual([])
      const patient = inbox.keep(createMessage(), soon())
      await unlock()
      const { reference } = await patient
      expect(await listAll(inbox)).toMatchObject([{ reference }])
      expect(inbox.state()).toBe('open')
    })

    test('stays open when a read takes too long', async () => {
      const log: string[] = []
      const note = (_: object, text: string) => log.push(text)
      const inbox = place.open({ log: { info: note, warn: note } })
      await inbox.keep(createMessage(), soon())
      log.length = 0
      const measureInNoTime = () =>
        inbox.measure(Date.now() + 1).then(
          () => undefined,
          ({ reason }) => reason,
        )
      let reason: unknown
      while (reason === undefined) reason = await measureInNoTime()
      expect(reason).toBe('deadline')
      expect([inbox.state(), log]).toEqual(['open', []])
      await inbox.keep(createMessage(), soon())
      expect([inbox.state(), log]).toEqual(['open', []])
    })

    test('finishes earlier calls when it closes, and rejects later ones', async () => {
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
