import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import en from '../../../server/inbox/command/en.json' with { type: 'json' }
import type { NewMessage } from '../../../server/inbox/inbox.ts'
import { createReference } from '../../../server/inbox/message.ts'
import { mapFields } from '../../../shared/contact-fields.ts'
import { fill } from '../../../shared/format.ts'
import { createFolder } from '../../support/folders.ts'
import { DAY_MS, HOUR_MS, NOON, PERIODS } from '../../support/inbox.ts'
import { keepMessages, type Place, runCommand, setUpPlace } from './places.ts'

export function describeCommands(name: string, createPlace: () => Promise<Place>): void {
  describe(name, () => {
    const place = setUpPlace(createPlace)
    const folder = createFolder()

    const run = (...args: string[]) => runCommand(place, args)
    const print = async (...args: string[]) => {
      const { status, out, err } = await run(...args)
      return [status, out + err]
    }

    const keep = (...changes: Partial<NewMessage>[]) => keepMessages(place, changes)

    function write(...lines: (object | string)[]): string {
      const file = join(folder, 'messages.jsonl')
      const encoded = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      writeFileSync(file, `${encoded.join('\n')}\n`)
      return file
    }

    const LINE = {
      reference: 'RG-22222-22222',
      receivedAt: '2026-01-01T00:00:00.000Z',
      status: 'mailed',
      firstName: 'Zoé',
      lastName: 'B',
      email: 'zoe@exemple.ca',
      service: '',
      message: 'one\u2028two\r\n\t"three\\ 👩🏽‍🚒',
      language: 'fr',
    }

    test('shows the outcome of the last try to mail a message', async () => {
      const [reference = ''] = await keep({})
      expect((await run('show', reference)).out).not.toContain('Last try')
      const inbox = place.open({ now: () => NOON + HOUR_MS })
      for (const error of ['451 not now', '550 no\r\nStatus: \u001b[1mmailed']) {
        const [mail] = await inbox.lease({ limit: 1, leaseMs: 1 })
        if (!mail) throw new Error('No mail is due')
        await inbox.settle(mail, { kind: 'later', afterMs: 0, error })
      }
      await inbox.close()
      expect((await run('show', reference)).out).toMatch(
        /^Last try: {5}2026-05-04 09:00 \(Toronto time\) failed, not final 550 no\S* Status: \\u\{1b\}\[1mmailed$/m,
      )
    })

    test('lists the newest 50', async () => {
      const references = await keep(...Array.from({ length: 51 }, () => ({})))
      const { out } = await run('list')
      expect(out.match(/RG-\w+-\w+/g)).toEqual(references.toReversed().slice(0, 50))
      expect(out).toMatch(/\nThere are older ones; export writes them all\.\n$/)
    })

    test.each(['roads', 'constructor'])('keeps and shows a former service: %s', async (service) => {
      await run('import', write({ ...LINE, service }))
      expect((await run('list')).out).toContain(service)
      expect((await run('show', LINE.reference)).out).toMatch(new RegExp(`: +${service}$`, 'm'))
      expect((await run('export', '--format', 'jsonl')).out).toContain(`"service":"${service}"`)
    })

    test('imports an export unchanged, also twice', async () => {
      const messages = [
        LINE,
        { ...LINE, reference: 'RG-22222-22223', status: 'new' },
        { ...LINE, reference: 'RG-22222-22224', status: 'quarantined', trapped: ['url'] },
        { ...LINE, reference: 'RG-22222-22225', status: 'dead' },
        // Enough messages for more than one batch.
        ...Array.from({ length: 600 }, () => ({ ...LINE, reference: createReference() })),
      ]
      const file = write(...messages)
      const importAgain = async (imported: number, present: number) => {
        const counts = `imported: ${imported}\nMessages that were here already: ${present}\n`
        expect(await print('import', file)).toEqual([0, `Messages ${counts}`])
      }
      await importAgain(604, 0)
      await importAgain(0, 604)
      const { out } = await run('export', '--format', 'jsonl')
      const exported = out.trimEnd().split('\n')
      const byReference = (one: { reference: string }, other: { reference: string }) =>
        one.reference < other.reference ? -1 : 1
      // An older export lacks the newest fields.
      const missing = { trapped: [], ...mapFields(() => '') }
      const expected = messages.sort(byReference).map((message) => ({ ...missing, ...message }))
      // First one alone: the difference of all would fill thousands of lines.
      expect(JSON.parse(exported[0] ?? '')).toEqual(expected[0])
      expect(exported.map((line) => JSON.parse(line))).toEqual(expected)
      const mails = await place.open().lease({ limit: 9, leaseMs: 1 })
      expect(mails.map(({ id }) => id)).toEqual(['RG-22222-22223'])
      await run('archive', 'RG-22222-22223')
      await importAgain(0, 604)
      expect(await place.open().find('RG-22222-22223')).toMatchObject({ status: 'archived' })
      expect((await run('verify')).status).toBe(0)
    })

    test.each(['mailed', 'archived'])('an import mails nothing that was %s', async (status) => {
      const waiting = [LINE, { ...LINE, reference: 'RG-22222-22223' }]
      await run('import', write(...waiting.map((line) => ({ ...line, status: 'new' }))))
      await run('import', write({ ...LINE, status }))
      const mails = await place.open().lease({ limit: 9, leaseMs: 1 })
      expect(mails.map(({ id }) => id)).toEqual(['RG-22222-22223'])
      expect(await place.open().find(LINE.reference)).toMatchObject({ status })
    })

    test('an import brings a message forward, never back', async () => {
      const trapped = { ...LINE, trapped: ['url'], status: 'quarantined' }
      const references = ['RG-22222-22223', 'RG-22222-22224', 'RG-22222-22225', 'RG-22222-22226']
      const write4 = (...lines: object[]) =>
        write(...lines.map((line, index) => ({ ...line, reference: references[index] })))
      const backup = write4({ ...LINE, status: 'mailed' }, trapped, trapped, trapped)
      await run('import', backup)
      const later = write4(
        { ...LINE, status: 'archived' },
        { ...LINE, status: 'new' }, // released
        { ...LINE, status: 'mailed' }, // released and mailed
        { ...trapped, status: 'archived' },
      )
      const present = [0, 'Messages imported: 0\nMessages that were here already: 4\n']
      expect(await print('import', later)).toEqual(present)
      expect(await print('import', backup)).toEqual(present)
      const find = (reference: string) => place.open().find(reference)
      expect(await Promise.all(references.map(find))).toMatchObject([
        { status: 'archived', trapped: [] },
        { status: 'new', trapped: [] },
        { status: 'mailed', trapped: [] },
        { status: 'archived', trapped: ['url'] },
      ])
      const mails = await place.open().lease({ limit: 9, leaseMs: 1 })
      expect(mails.map(({ id }) => id)).toEqual([references[1]])
      expect((await run('verify')).status).toBe(0)
    })

    test('imports nothing of a file with a broken line, and names it', async () => {
      for (const [line, fault] of [
        ['{"reference"', ' is not a JSON object.'],
        ['[]', ' is not a JSON object.'],
        ['{}', ', reference: Invalid input: expected string, received undefined.'],
        [{ ...LINE, reference: '1' }, ', reference: expected RG-XXXXX-XXXXX.'],
        [{ ...LINE, status: 'lost' }, ', status: Invalid option: expected one'],
        [{ ...LINE, receivedAt: 'x' }, ', receivedAt: Invalid ISO datetime.'],
      ] as const) {
        const { status, out, err } = await run('import', write(LINE, line, LINE))
        expect({ line, status, out }).toEqual({ line, status: 1, out: '' })
        expect(err).toContain(`Line 2${fault}`)
        expect(err).toMatch(/Nothing was imported\.\n$/)
      }
      expect((await run('list')).out).not.toContain('RG-')
    })

    test('imports nothing of a file that is too large for the memory, or that is not UTF-8', async () => {
      const file = write(LINE)
      truncateSync(file, 3_000_000_000)
      const tooLarge = [1, `${file} cannot be used: ERR_FS_FILE_TOO_LARGE\n`]
      expect(await print('import', file)).toEqual(tooLarge)
      writeFileSync(file, Buffer.from('\n\n\xe9\n\n', 'latin1'))
      const notUtf8 = [1, 'Line 3 is not UTF-8. Nothing was imported.\n']
      expect(await print('import', file)).toEqual(notUtf8)
    })

    test('neither brings back what was erased nor replaces another message, and names both', async () => {
      const file = write(LINE, { ...LINE, reference: 'RG-22222-22223' })
      await run('import', file)
      await run('erase', LINE.reference)
      const counts = 'Messages imported: 0\nMessages that were here already: 1'
      const erased = `${counts}\n${en.erasedHere}\n${LINE.reference}\n`
      expect(await print('import', file)).toEqual([0, erased])
      const other = { ...LINE, reference: 'RG-22222-22223', message: 'Something else' }
      const { status, err } = await run('import', write(other))
      expect([status, err.endsWith(' under these references:\nRG-22222-22223\n')]).toEqual([
        1,
        true,
      ])
    })

    test('verifies, and names each fault', async () => {
      const [first = '', second = ''] = await keep({}, {})
      expect(await print('verify')).toEqual([
        0,
        'Messages verified: 2\nNo fault was found in the inbox.\n',
      ])
      await place.tamper(`UPDATE messages SET email = 'x' WHERE reference = '${first}'`)
      await place.tamper(`DELETE FROM outbox WHERE reference = '${second}'`)
      const { status, out, err } = await run('verify')
      expect([status, out]).toEqual([1, ''])
      expect(err).toContain(`${first}: changed since it was stored\n`)
      expect(err).toContain(`${second}: message without an outbox row\n`)
    })

    test('lists, exports and erases a mailbox in every spelling, and notes no address', async () => {
      const spellings = [
        'zoe@exemple.québec',
        'Zoe@Exemple.QUÉBEC',
        'zoe@exemple.que\u0301bec',
        'zoe@exemple.xn--qubec-csa',
        'Zoe@EXEMPLE.XN--QUBEC-CSA',
      ]
      const others = ['zoe@exemple.quebec', 'zoe@québec', 'zo@exemple.québec', 'zoé@exemple.québec']
      const kept = await keep(...[...spellings, ...others].map((email) => ({ email })))
      const own = kept.slice(0, spellings.length)
      const find = async (...args: string[]) => (await run(...args)).out.match(/RG-\w+-\w+/g)
      for (const email of spellings) {
        expect(await find('list', '--email', ` ${email}\n`)).toEqual(own.toReversed())
        const csv = ['export', '--format', 'csv', '--status', 'new', '--email', email]
        expect(await find(...csv)).toEqual(own)
      }
      const [email = ''] = spellings
      await run('show', own[0] ?? '')
      await run('show', email)
      expect((await run('erase', '--email', email)).out).toContain('erased: 5\n')
      expect((await run('list', '--email', email)).out).toBe(
        `${fill(en.noMessageFrom, { email })}\n`,
      )
      expect(await find('list')).toEqual(kept.slice(spellings.length).toReversed())
      const noted = await place.read('SELECT action, subject FROM audit ORDER BY id')
      expect(noted.map((row) => Object.values(row).join(' '))).toEqual([
        ...spellings.flatMap(() => ['list by-email', 'export csv new by-email']),
        `show ${own[0]}`,
        ...own.map((reference) => `erase ${reference}`),
        'list by-email',
        'list ',
      ])
    })

    test('purges by the periods of the site that ran last, and by no others', async () => {
      await keep({ trapped: ['url'] }, {})
      const purge = async (days: number) => {
        const { status, out, err } = await runCommand(place, ['purge'], {
          now: () => NOON + days * DAY_MS,
        })
        return [status, out.split('\n')[0] + err]
      }
      const refused = `purge ${en.fileErrors.NEVER_RUN}\n`
      expect(await purge(1000)).toEqual([1, refused])
      const site = place.open({ now: () => NOON })
      for (const periods of [PERIODS, { retentionDays: 1100, quarantineDays: 50 }]) {
        await site.purge(periods, { limit: 1 })
      }
      expect(await purge(49)).toEqual([0, `${en.purged}: 0`])
      expect(await purge(51)).toEqual([0, `${en.purged}: 1`])
      expect(await purge(1000)).toEqual([0, `${en.purged}: 0`])
      expect(await purge(1101)).toEqual([0, `${en.purged}: 1`])
      expect(await purge(1102)).toEqual([0, `${en.purged}: 0`])
    })

    test('shows progress on a terminal and none in a pipe', async () => {
      await keep({}, {})
      const quiet = await run('verify')
      expect(quiet.err).toBe('')
      const shown = await runCommand(place, ['verify'], { terminal: true })
      expect(shown.out).toBe(quiet.out)
      const clear = '\r\u001b[K'
      expect(shown.err.startsWith(`${clear}Checking the store as a whole …`)).toBe(true)
      expect(shown.err.endsWith(clear)).toBe(true)
    })
  })
}
