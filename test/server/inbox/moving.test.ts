import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '../../../server/inbox/inbox.ts'
import { type PostgresServer, startPostgres } from '../../../tools/harness/postgres.ts'
import type { Place } from './inbox-suite.ts'
import { createMessage, NOON, soon } from './messages.ts'
import { createPostgresPlace } from './postgres-place.ts'
import { runCommand } from './run-command.ts'
import { createSqlitePlace } from './sqlite-place.ts'

/** More than one list of an export and one batch of an import. */
const MESSAGES = 600

let server: PostgresServer
let folder: string
const places: Place[] = []
beforeAll(async () => {
  server = await startPostgres()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moving-'))
})
afterEach(async () => {
  await Promise.all(places.splice(0).map((place) => place.close()))
  rmSync(folder, { recursive: true })
})
afterAll(() => server.stop())

async function createPlaces() {
  const created = { sqlite: createSqlitePlace(), postgres: await createPostgresPlace(server) }
  places.push(...Object.values(created))
  return created
}

/** Keeps messages of every status, with difficult characters. */
async function fill(place: Place): Promise<void> {
  let time = NOON
  const inbox = place.open({ now: () => time++ })
  const keep = (count: number) => {
    const message = `${count} "\\ \u2028 👩🏽‍🚒\r\n\t${'é'.repeat(count % 50)}`
    const trapped = count % 7 === 0 ? ['url', 'website'] : []
    return inbox.keep(createMessage({ message, trapped }), soon())
  }
  for (let first = 0; first < MESSAGES; first += 40) {
    await Promise.all(Array.from({ length: 40 }, (_, offset) => keep(first + offset)))
  }
  const outcomes = ['mailed', 'dead', 'later'] as const
  for (const [index, mail] of (await inbox.lease({ limit: 90, leaseMs: 1 }, soon())).entries()) {
    const kind = outcomes[index % 3] ?? 'mailed'
    await inbox.settle(mail, { kind, response: '', error: '', afterMs: 0 } as never, soon())
    if (index % 10 === 0) await inbox.archive(mail.message.reference, soon())
  }
  await inbox.close()
}

async function listAll(place: Place): Promise<Message[]> {
  const inbox = place.open()
  const messages = await inbox.list({ limit: 5000, order: 'oldest-first' }, soon())
  await inbox.close()
  return messages
}

test.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('moves all messages from %s to %s', async (from, to) => {
  const { [from]: source, [to]: target } = await createPlaces()
  await fill(source)
  const { out } = await runCommand(source, ['export', '--format', 'jsonl'])
  const file = join(folder, 'inbox.jsonl')
  writeFileSync(file, out)
  const { status } = await runCommand(target, ['import', file])
  expect(status).toBe(0)
  const messages = await listAll(source)
  expect(messages).toHaveLength(MESSAGES)
  expect(await listAll(target)).toEqual(messages)
  expect((await runCommand(target, ['verify'])).out).toContain(`Messages verified: ${MESSAGES}\n`)
  const mails = await target.open().lease({ limit: 2000, leaseMs: 1 }, soon())
  expect(mails).toHaveLength(messages.filter((message) => message.status === 'new').length)
})
