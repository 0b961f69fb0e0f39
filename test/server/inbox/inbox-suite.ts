import { readBatches } from '../../../server/inbox/command/browse.ts'
import type { Message, NewMessage } from '../../../server/inbox/inbox.ts'
import { createReference } from '../../../server/inbox/message.ts'
import { createMessage, createStored, DAY_MS, HOUR_MS, NOON } from '../../support/inbox.ts'
import { type Place, setUpInbox } from './places.ts'

const LIMIT = { limit: 2, windowMs: HOUR_MS }

/** The tests of messages, limits and deadlines, for every kind of inbox. */
export function describeInbox(name: string, createPlace: () => Promise<Place>): void {
  describe(name, () => {
    const { place, inbox, clock, open } = setUpInbox(createPlace)
    let sent = 0

    /** Resolves to the address's number of hits, and the ms until the first hit expires. */
    const submitNew = async (address = 'a') => {
      const message = createMessage({ address, message: `Message number ${++sent}` })
      const { hits } = await inbox.submit(message, LIMIT)
      return [hits?.count, hits?.resetInMs]
    }
    const listAll = () => inbox.list({ limit: 1000, order: 'newest-first' })

    test('keeps a message with all its fields, and any text to the letter', async () => {
      const text = `\n Éloïse « ÇŒ » ‽ ᐃᓄᒃᑎᑐᑦ\n\t👩🏽‍🚒 🇨🇦 e\u0301 '; DROP TABLE messages; -- "x" \\ %s \${y} \n`
      const { address, ...content } = createMessage({ message: text, lastName: text })
      const receipt = await inbox.keep({ ...content, address })
      expect(receipt).toEqual({
        reference: expect.stringMatching(/^RG-[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/),
        receivedAt: '2026-05-04T12:00:00.000Z',
        outcome: 'accepted',
      })
      const { outcome: _, ...kept } = receipt
      expect(await inbox.find(receipt.reference)).toEqual({ ...content, ...kept, status: 'new' })
      expect(await inbox.find('RG-22222-22222')).toBeUndefined()
    })

    test('quarantines a message that filled a trap, with the names of the traps', async () => {
      const trapped = ['website', 'url']
      const { reference, outcome } = await inbox.keep(createMessage({ trapped }))
      expect(outcome).toBe('quarantined')
      expect(await inbox.find(reference)).toMatchObject({ status: 'quarantined', trapped })
      expect(await inbox.keep(createMessage())).toMatchObject({ outcome: 'accepted' })
      const again = createMessage({ trapped: ['url'] })
      expect(await inbox.keep(again)).toMatchObject({ outcome: 'replayed' })
      const query = { limit: 10, order: 'newest-first', status: 'quarantined' } as const
      expect(await inbox.list(query)).toMatchObject([{ reference }])
    })

    test('recognizes the same content from the same address for 24 hours', async () => {
      const first = await inbox.keep(createMessage())
      clock.time += DAY_MS - 1
      const message = ` ${createMessage().message}\n`
      const again = await inbox.keep(createMessage({ message, language: 'en' }))
      expect(again).toEqual({ ...first, outcome: 'replayed' })
      expect(await listAll()).toHaveLength(1)
      clock.time += 1
      expect(await inbox.keep(createMessage())).toMatchObject({ outcome: 'accepted' })
      expect(await listAll()).toHaveLength(2)
    })

    test.each<[string, Parameters<typeof createMessage>[0]]>([
      ['address', { address: '198.51.100.9' }],
      ['name', { firstName: 'Paul' }],
      ['split of the same name', { firstName: 'A', lastName: 'B C' }],
      ['e-mail address', { email: 'Zoe@exemple.ca' }],
      ['service', { service: '' }],
      ['message', { message: 'Another message' }],
      ['trap', { trapped: ['url'] }],
    ])('treats another %s as a new message', async (_, change) => {
      const name = { firstName: 'A B', lastName: 'C' }
      await inbox.keep(createMessage(name))
      const other = createMessage({ ...name, ...change })
      expect((await inbox.keep(other)).outcome).not.toBe('replayed')
    })

    test('recognizes the same key and content from any address for 24 hours', async () => {
      const message = createMessage({ idempotencyKey: 'key' })
      const first = await inbox.keep(message)
      const other = { ...message, message: 'Another message' }
      const second = await inbox.keep(other)
      expect(second.outcome).toBe('accepted')
      clock.time += DAY_MS - 1
      const elsewhere = { ...message, address: 'elsewhere' }
      expect(await inbox.keep(elsewhere)).toEqual({ ...first, outcome: 'replayed' })
      const otherElsewhere = { ...other, address: 'elsewhere' }
      expect(await inbox.keep(otherElsewhere)).toEqual({ ...second, outcome: 'replayed' })
      for (const idempotencyKey of ['other', '', undefined]) {
        const keyed = { ...message, idempotencyKey, address: `with ${idempotencyKey}` }
        expect(await inbox.keep(keyed)).toMatchObject({ outcome: 'accepted' })
      }
      clock.time += 1
      expect(await inbox.keep(elsewhere)).toMatchObject({ outcome: 'accepted' })
    })

    test('remembers a key that came with a repetition only', async () => {
      const first = await inbox.keep(createMessage())
      const late = createMessage({ idempotencyKey: 'late' })
      await inbox.keep(late)
      const found = await inbox.keep({ ...late, address: 'elsewhere' })
      expect(found).toEqual({ ...first, outcome: 'replayed' })
    })

    test('is created once, even if many open it at once, and not without `create`', async () => {
      const failed = place.open({ create: false }).countByStatus()
      await expect(failed).rejects.toMatchObject({ reason: 'missing' })
      const inboxes = Array.from({ length: 8 }, () => open())
      await Promise.all(inboxes.map((each) => each.probe()))
      for (const [n, each] of inboxes.entries()) await each.keep(createMessage({ message: `${n}` }))
      expect(await listAll()).toHaveLength(8)
    })

    test('is refused when a newer build has written it', async () => {
      await inbox.probe()
      await inbox.close()
      await place.tamper(place.newerBuild)
      await expect(place.open().probe()).rejects.toMatchObject({ reason: 'newer-build' })
    })

    test('counts the messages of an address in a sliding window, and keeps none beyond', async () => {
      expect(await submitNew()).toEqual([1, HOUR_MS])
      clock.time += HOUR_MS / 2
      expect(await submitNew()).toEqual([2, HOUR_MS / 2])
      expect(await submitNew()).toEqual([3, HOUR_MS / 2])
      expect(await submitNew('b')).toEqual([1, HOUR_MS])
      clock.time += HOUR_MS / 2 - 1
      expect(await submitNew()).toEqual([3, 1])
      clock.time += 1
      expect(await submitNew()).toEqual([2, HOUR_MS / 2])
      expect(await submitNew()).toEqual([3, HOUR_MS / 2])
      expect(await listAll()).toHaveLength(4)
    })

    test('counts a repetition, and not one by the same key', async () => {
      const submit = async (idempotencyKey?: string) => {
        const message = createMessage({ idempotencyKey })
        const { hits, receipt } = await inbox.submit(message, LIMIT)
        return [hits?.count, receipt?.outcome]
      }
      expect(await submit('key')).toEqual([1, 'accepted'])
      expect(await submit('key')).toEqual([undefined, 'replayed'])
      expect(await submit()).toEqual([2, 'replayed'])
      expect(await submit('key')).toEqual([undefined, 'replayed'])
      expect(await submit()).toEqual([3, undefined])
      const replay = inbox.submit(createMessage({ idempotencyKey: 'key' }), { ...LIMIT, limit: 1 })
      expect(await replay).toMatchObject({ receipt: { outcome: 'replayed' } })
    })

    /** Submits many messages at once over two inboxes. */
    const submitTogether = async (change: (n: number) => Partial<NewMessage>) => {
      const inboxes = [open(), open()]
      const submitted = await Promise.all(
        Array.from(
          { length: 20 },
          async (_, n) => (await inboxes[n % 2]?.submit(createMessage(change(n)), LIMIT))?.receipt,
        ),
      )
      const receipts = submitted.filter((receipt) => receipt !== undefined)
      const firsts = receipts.filter(({ outcome }) => outcome === 'accepted')
      const references = new Set(receipts.map(({ reference }) => reference))
      return [receipts.length, firsts.length, references.size]
    }

    test('lets exactly the limit of messages through at once, and keeps one of equal ones', async () => {
      expect(await submitTogether((n) => ({ message: `Message ${n}` }))).toEqual([2, 2, 2])
      expect(await submitTogether(() => ({ address: 'b' }))).toEqual([2, 1, 1])
      expect(await listAll()).toHaveLength(3)
    })

    test.each([0, 1, 2])('takes one place for the same key at once, beside %d', async (taken) => {
      for (let n = 0; n < taken; n += 1) await submitNew()
      const isFull = taken === LIMIT.limit
      const submitted = submitTogether(() => ({ address: 'a', idempotencyKey: 'key' }))
      expect(await submitted).toEqual(isFull ? [0, 0, 0] : [20, 1, 1])
      expect(await listAll()).toHaveLength(isFull ? taken : taken + 1)
      const [count] = await submitNew()
      expect(count).toBe(taken === 0 ? 2 : 3)
    })

    test('takes a place of one address for the same key at once from two', async () => {
      const change = (n: number) => ({ address: n % 2 ? 'a' : 'b', idempotencyKey: 'key' })
      expect(await submitTogether(change)).toEqual([20, 1, 1])
      const counts: unknown[] = []
      for (const address of ['a', 'a', 'b', 'b']) counts.push((await submitNew(address))[0])
      expect(counts.sort()).toEqual([1, 2, 2, 3])
    })

    test('lists in both orders and in batches, messages of the same moment included', async () => {
      const kept: string[] = []
      for (const round of [1, 2, 3, 4]) {
        const receivedAt = new Date(NOON + round).toISOString()
        const messages = Array.from({ length: 301 }, () =>
          createStored({ reference: createReference(), receivedAt }),
        )
        await inbox.importMessages(messages)
        kept.push(...messages.map(({ reference }) => reference))
      }
      const read = async (order: 'newest-first' | 'oldest-first') => {
        const messages: Message[] = []
        for await (const page of readBatches(inbox.plain, { order })) messages.push(...page)
        return messages.map(({ reference }) => reference)
      }
      const oldestFirst = await read('oldest-first')
      expect([...oldestFirst].sort()).toEqual(kept.sort())
      expect((await read('newest-first')).reverse()).toEqual(oldestFirst)
      const [newest] = await inbox.list({ limit: 1, order: 'newest-first' })
      expect(newest?.reference).toBe(oldestFirst.at(-1))
    })

    test('rejects in time under a foreign lock, keeps nothing, and works again', async () => {
      await inbox.probe()
      const unlock = await place.lock()
      const calls = Array.from({ length: 10 }, (_, n) =>
        inbox.keep(createMessage({ message: `Too late ${n}` }), Date.now() + 600),
      )
      for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
        expect(reason.name).toBe('InboxUnavailable')
        // A call that was not tried before its deadline gets the reason `deadline`.
        expect(['locked', 'deadline']).toContain(reason.reason)
      }
      expect(inbox.state()).toBe('unavailable')
      expect(await listAll()).toEqual([])
      const patient = inbox.submit(createMessage({ message: 'Too late 0' }), LIMIT)
      await unlock()
      expect(await patient).toMatchObject({ hits: { count: 1 }, receipt: { outcome: 'accepted' } })
      expect(await listAll()).toHaveLength(1)
      expect(inbox.state()).toBe('open')
    })

    test('finishes earlier calls when it closes, and rejects later ones', async () => {
      const kept = inbox.keep(createMessage())
      await inbox.close()
      expect(await kept).toMatchObject({ outcome: 'accepted' })
      const late = inbox.keep(createMessage())
      await expect(late).rejects.toMatchObject({ reason: 'closed' })
      expect(inbox.state()).toBe('closed')
      await inbox.close()
    })
  })
}
