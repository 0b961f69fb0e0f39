import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { leaseMail, settleMail } from '../../../server/inbox/mail-queue.ts'
import { BROWSERS, countErrors } from '../../../server/inbox/measure.ts'
import { findMessage } from '../../../server/inbox/messages.ts'
import { mapFields, TYPED_FIELDS, type TypedField } from '../../../shared/contact-fields.ts'
import { createFolder } from '../../support/folders.ts'
import { createMessage, DAY_MS } from '../../support/inbox.ts'
import { setUpStore, type TestDatabase } from './databases.ts'

const PACE = { leaseMs: 60_000, spacingMs: 0, many: 10 }
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
const REMAINDER = 'Older backups and exports, and mail that was sent, still hold the text.\n'

export function describeCommand(
  name: string,
  createDatabase: () => TestDatabase | Promise<TestDatabase>,
): void {
  describe(name, () => {
    const { database, store, clock, backups, keep, run } = setUpStore(createDatabase)
    const folder = createFolder()

    function write(...lines: (object | string)[]): string {
      const file = join(folder, 'messages.jsonl')
      const encoded = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      writeFileSync(file, `${encoded.join('\n')}\n`)
      return file
    }

    const find = async (...args: string[]) => (await run(...args))[1].match(/RG-\w+-\w+/g)

    test('an import erases what an older copy of the store brought back', async () => {
      const reference = await keep()
      const note = `INSERT INTO audit (noted_at, action, subject) VALUES (0, 'erase', '${reference}')`
      await database.tamper(note)
      expect((await run('import', write()))[1]).toContain(reference)
      expect(await find('list')).toBeNull()
    })

    test('a blank reference is refused, and stands for no other', async () => {
      await keep()
      for (const name of ['retry', 'erase', 'archive']) expect((await run(name, ' '))[0]).toBe(2)
      expect((await run('export', '--format', 'csv', '--email', ' '))[0]).toBe(2)
    })

    test('lists the newest 50', async () => {
      const references: string[] = []
      for (let count = 0; count < 51; count += 1) references.push(await keep())
      expect(await find('list')).toEqual(references.toReversed().slice(0, 50))
      expect((await run('list'))[1]).toMatch(/\n1 older ones: export writes them\n$/)
    })

    test('shows all of a message and its last try, and nothing that controls a terminal', async () => {
      const lastName = 'علی\u200cرضا 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'
      const reference = await keep({
        firstName: '\u202eZoé\u001b[1m',
        lastName,
        message: 'one\nstatus: mailed',
      })
      const mail = await leaseMail(store, PACE)
      if (!mail) throw new Error('No mail is due')
      await settleMail(store, mail, { kind: 'later', afterMs: 0, error: '550\r\n\u001b[1mno' })
      const shown: Record<TypedField, string> = {
        ...createMessage(),
        firstName: '\\u{202e}Zoé\\u{1b}[1m',
        lastName,
      }
      const lines = TYPED_FIELDS.filter((name) => name !== 'message').map(
        (name) => `${name}: ${shown[name]}`,
      )
      expect(await run('show', reference.toLowerCase())).toEqual([
        0,
        `reference: ${reference}
status: new
${lines.join('\n')}
language: fr
received: 2026-05-04 08:00 (Toronto time)
traps: 
last try: 2026-05-04 08:00 later: 550\\u{d} \\u{1b}[1mno

  one
  status: mailed
`,
      ])
      expect(await run('show', 'x')).toEqual([1, 'X: there is no such message\n'])
    })

    test('releases, retries and archives, or says that there is nothing to do', async () => {
      const [spam, plain] = [await keep({ trapped: ['url'] }), await keep()]
      expect((await run('release', spam))[0]).toBe(0)
      expect((await run('release', plain))[0]).toBe(1)
      expect(await run('retry')).toEqual([0, 'Messages queued again: 2\n'])
      expect((await run('archive', plain))[0]).toBe(0)
      expect((await run('retry', plain))[0]).toBe(1)
      expect((await run('archive', 'RG-22222-22222'))[0]).toBe(1)
      expect(await findMessage(store, spam)).toMatchObject({ status: 'new', trapped: [] })
      expect(await findMessage(store, plain)).toMatchObject({ status: 'archived' })
    })

    test('imports what it exports, twice, and mails what was new', async () => {
      const messages = ['mailed', 'new', 'quarantined', 'dead', 'archived'].map((status, n) => ({
        ...LINE,
        status,
        reference: `RG-22222-2222${n + 2}`,
        service: n === 0 ? 'roads' : '',
        trapped: status === 'quarantined' ? ['url'] : [],
      }))
      const file = write(...messages)
      for (const [imported, present] of [
        [5, 0],
        [0, 5],
      ]) {
        const counts = `imported: ${imported}\nMessages that were here already: ${present}\n`
        expect(await run('import', file)).toEqual([0, `Messages ${counts}`])
      }
      const [status, out] = await run('export', '--format', 'jsonl')
      const missing = mapFields(() => '')
      const exported = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect([status, exported]).toEqual([0, messages.map((each) => ({ ...missing, ...each }))])
      const mails = [await leaseMail(store, PACE), await leaseMail(store, PACE)]
      expect(mails.map((mail) => mail?.id)).toEqual(['RG-22222-22223', 'RG-22222-22225'])
      expect(await leaseMail(store, PACE)).toBeUndefined()
    })

    test('an import brings a message forward, never back, and mails nothing that was mailed', async () => {
      const references = ['RG-22222-22223', 'RG-22222-22224', 'RG-22222-22225', 'RG-22222-22226']
      const write4 = (...lines: object[]) =>
        write(...lines.map((line, index) => ({ ...LINE, ...line, reference: references[index] })))
      const trapped = { trapped: ['url'], status: 'quarantined' }
      const earlier = [{ status: 'new' }, trapped, trapped, { status: 'mailed' }]
      const later = [
        { status: 'mailed' },
        { status: 'new' }, // released
        { ...trapped, status: 'archived' },
        { status: 'archived' },
      ]
      for (const lines of [earlier, later, earlier]) await run('import', write4(...lines))
      expect(await Promise.all(references.map((each) => findMessage(store, each)))).toMatchObject([
        { status: 'mailed', trapped: [] },
        { status: 'new', trapped: [] },
        { status: 'archived', trapped: ['url'] },
        { status: 'archived', trapped: [] },
      ])
      expect((await leaseMail(store, PACE))?.id).toBe(references[1])
      expect(await leaseMail(store, PACE)).toBeUndefined()
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
        const [status, text] = await run('import', write(LINE, line, LINE))
        expect({ line, status }).toEqual({ line, status: 1 })
        expect(text).toContain(`Line 2${fault}`)
        expect(text).toMatch(/Nothing was imported\.\n$/)
      }
      const file = write(LINE)
      writeFileSync(file, Buffer.from('\xe9\n', 'latin1'))
      expect((await run('import', file))[0]).toBe(1)
      expect((await run('import', `${file}.missing`))[1]).toContain('no such file')
      expect(await find('list')).toBeNull()
    })

    test('does not bring back what was erased, and names it', async () => {
      const file = write(LINE)
      await run('import', file)
      expect(await run('erase', LINE.reference)).toEqual([0, `Messages erased: 1\n${REMAINDER}`])
      const [status, text] = await run('import', file)
      expect(status).toBe(0)
      expect(text).toMatch(
        /imported: 0\n.*already: 0\n.*erased from this inbox:\nRG-22222-22222\n$/,
      )
      expect((await run('erase', LINE.reference))[0]).toBe(1)
    })

    test('an erasure is also on the list beside the backups, which an import obeys', async () => {
      backups.folder = join(folder, 'backups')
      const lists = { backups: join(backups.folder, 'erased'), file: join(folder, 'erased') }
      const erased = await keep()
      await run('erase', erased)
      // A kill cut off the last line.
      appendFileSync(lists.backups, '\nRG-22222-22')
      const second = await keep()
      await run('erase', second)
      expect(readFileSync(lists.backups, 'utf8').split('\n').filter(Boolean).sort()).toEqual(
        [erased, 'RG-22222-22', second].sort(),
      )
      expect(statSync(lists.backups).mode & 0o777).toBe(0o600)
      await database.tamper('DELETE FROM audit')
      writeFileSync(lists.file, '\nRG-33333-33333')
      const references = [erased, second, 'RG-33333-33333', 'RG-44444-44444']
      const file = write(...references.map((reference) => ({ ...LINE, reference })))
      const [, text] = await run('import', file)
      expect(text).toContain('imported: 1\n')
      expect(await find('list')).toEqual(['RG-44444-44444'])
      rmSync(lists.file)
      // A list that is behind, such as after a full disk, is completed by a purge.
      rmSync(lists.backups)
      await run('purge')
      expect(readFileSync(lists.backups, 'utf8').match(/RG-/g)).toHaveLength(3)
    })

    test('finds and erases a mailbox in every spelling, and notes no address', async () => {
      const spellings = [
        'zoe@exemple.québec',
        'Zoe@Exemple.QUÉBEC',
        'zoe@exemple.que\u0301bec',
        'zoe@exemple.xn--qubec-csa',
        'Zoe@EXEMPLE.XN--QUBEC-CSA',
      ]
      const others = ['zoe@exemple.quebec', 'zoe@québec', 'zo@exemple.québec', 'zoé@exemple.québec']
      const kept: string[] = []
      for (const email of [...spellings, ...others]) kept.push(await keep({ email }))
      const own = kept.slice(0, spellings.length)
      for (const email of spellings) {
        expect(await find('list', '--email', ` ${email}\u200b\n`)).toEqual(own.toReversed())
        const csv = ['export', '--format', 'csv', '--status', 'new', '--email', email]
        expect(await find(...csv)).toEqual(own)
      }
      const [email = ''] = spellings
      expect((await run('erase', '--email', email))[1]).toContain('erased: 5\n')
      expect(await find('list', '--email', email)).toBeNull()
      expect(await find('list')).toEqual(kept.slice(spellings.length).toReversed())
      const noted = await database.read('SELECT action, subject FROM audit ORDER BY id')
      expect(noted.map(({ action, subject }) => `${action} ${subject}`).sort()).toEqual(
        own.map((reference) => `erase ${reference}`).sort(),
      )
    })

    test('a purge says how many it erased and how many expired ones wait for a day', async () => {
      await keep({ trapped: ['url'] })
      clock.time += 31 * DAY_MS
      const wait = 'Expired messages that a purge in a day will erase'
      expect(await run('purge')).toEqual([0, `Messages erased: 0\n${wait}: 1\n${REMAINDER}`])
      clock.time += DAY_MS
      expect(await run('purge')).toEqual([0, `Messages erased: 1\n${wait}: 0\n${REMAINDER}`])
    })

    test('counts messages by status, and errors by day and place', async () => {
      await keep({ trapped: ['url'] })
      await countErrors(store, BROWSERS, 7)
      await countErrors(store, '/services', 1)
      expect((await run('stats'))[1]).toBe(
        `new:         0
mailed:      0
dead:        0
quarantined: 1
archived:    0
hours that the oldest new message waits: 0
errors of /services on 2026-05-04: 1
errors of browsers on 2026-05-04: 7
`,
      )
    })
  })
}
