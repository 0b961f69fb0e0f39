import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder } from '../../support/folders.ts'
import { createMessage, NOON } from '../../support/inbox.ts'
import {
  createPostgresPlace,
  createSqlitePlace,
  type Place,
  setUpPlace,
  setUpPostgres,
} from './places.ts'
import { runCommand } from './run-command.ts'

/** More than one batch of an export or an import. */
const MESSAGES = 600

const folder = createFolder()
const server = setUpPostgres()
const places = {
  sqlite: setUpPlace<Place>(createSqlitePlace),
  postgres: setUpPlace<Place>(() => createPostgresPlace(server)),
}

/** Stores messages of every status, with difficult characters. */
async function fill(place: Place): Promise<void> {
  let time = NOON
  const inbox = place.open({ now: () => time++ })
  const keep = (count: number) => {
    const message = `${count} "\\ \u2028 👩🏽‍🚒\r\n\t${'é'.repeat(count % 50)}`
    const trapped = count % 7 === 0 ? ['url', 'website'] : []
    return inbox.keep(createMessage({ message, trapped }))
  }
  for (let first = 0; first < MESSAGES; first += 40) {
    await Promise.all(Array.from({ length: 40 }, (_, offset) => keep(first + offset)))
  }
  const outcomes = ['mailed', 'dead', 'later'] as const
  for (const [index, mail] of (await inbox.lease({ limit: 90, leaseMs: 1 })).entries()) {
    const kind = outcomes[index % 3] ?? 'mailed'
    await inbox.settle(mail, { kind, response: '', error: '', afterMs: 0 } as never)
    if (index % 10 === 0) await inbox.archive(mail.message.reference)
  }
  await inbox.close()
}

const listAll = (place: Place) => place.open().list({ limit: 5000, order: 'oldest-first' })

test.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('moves all messages from %s to %s', async (from, to) => {
  const { [from]: source, [to]: target } = places
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
  const mails = await target.open().lease({ limit: 2000, leaseMs: 1 })
  expect(mails).toHaveLength(messages.filter((message) => message.status === 'new').length)
})
