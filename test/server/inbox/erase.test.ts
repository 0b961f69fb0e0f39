import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { jest } from '@jest/globals'
import en from '../../../server/inbox/command/en.json' with { type: 'json' }
import { startRetention } from '../../../server/inbox/retention.ts'
import { fill } from '../../../shared/format.ts'
import { createMessage, HOUR_MS, NOON, PERIODS } from '../../support/inbox.ts'
import { createSqlitePlace, keepMessages, runCommand, setUpPlace } from './places.ts'

const CANARY = 'Zqxcanary'
const MESSAGES = 60

const place = setUpPlace(createSqlitePlace)
afterEach(() => jest.useRealTimers())

/** Finds the files of the store that contain the text CANARY, temporary files included. */
function findCanaries(): string[] {
  const folder = dirname(place.path)
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(CANARY))
}

test('an erased message leaves no byte of its text in the files, while the site runs', async () => {
  const site = place.open()
  const references: string[] = []
  for (let count = 0; count < MESSAGES; count++) {
    const isErased = count % 3 === 0
    const word = `${isErased ? CANARY : 'Harmless'}${count}`
    const message = createMessage({
      firstName: word,
      lastName: word,
      email: `${word}@exemple.ca`,
      message: `${word} `.repeat(1 + ((count * 37) % 200)),
      idempotencyKey: word,
      address: `${count}`,
    })
    const { reference } = await site.keep(message)
    if (isErased) references.push(reference)
  }
  for (const mail of await site.lease({ limit: MESSAGES, leaseMs: 1000 })) {
    const error = `550 <${mail.message?.email}> is not known here`
    await site.settle(mail, { kind: 'dead', error })
  }
  expect(findCanaries()).toEqual(expect.arrayContaining(['inbox.sqlite-wal']))
  const emails = [0, 3, 6, 9, 12].map((count) => ['--email', `${CANARY}${count}@exemple.ca`])
  const rest = references.slice(emails.length).map((reference) => [reference])
  for (const args of [...emails, ...rest]) {
    expect(await runCommand(place, ['erase', ...args])).toMatchObject({ status: 0 })
  }
  expect(findCanaries()).toEqual([])
  expect((await site.countByStatus()).dead).toBe((MESSAGES * 2) / 3)
  expect((await runCommand(place, ['verify'])).status).toBe(0)
})

test('a reader of the database delays the scrub, but causes no second rewrite', async () => {
  const site = place.open()
  const [one, two] = await keepMessages(place, [
    { message: CANARY.repeat(200) },
    ...Array.from({ length: 100 }, (_, n) => ({ message: `${n} harmless `.repeat(200) })),
  ])
  await site.scrub(false)
  const { size } = statSync(place.path)
  const reader = new DatabaseSync(place.path)
  reader.exec('BEGIN; SELECT * FROM messages')
  expect(await runCommand(place, ['erase', String(one)])).toEqual({
    status: 1,
    out: '',
    err: `Messages erased: 1\n${en.remainder}\n${en.scrubBusy}\n${en.scrubFailed}\n`,
  })
  expect(statSync(`${place.path}-wal`).size).toBeLessThan(2 * size)
  expect(en.scrubFailed).toContain('`purge`')
  expect(findCanaries()).not.toEqual([])
  reader.close()
  expect(await runCommand(place, ['erase', String(one)])).toEqual({
    status: 0,
    out: `${fill(en.changes.gone, { reference: String(one) })}\n`,
    err: '',
  })
  expect(findCanaries()).toEqual([])
  expect((await site.list({ limit: 1, order: 'oldest-first' }))[0]?.reference).toBe(two)
})

test('erases all of a mailbox, and fails if the text stays, also when nobody reads the output', async () => {
  await keepMessages(
    place,
    [1, 2].map((n) => ({ message: `${CANARY} ${n}` })),
  )
  const reader = new DatabaseSync(place.path)
  reader.exec('BEGIN; SELECT * FROM messages')
  const args = ['erase', '--email', createMessage().email]
  expect((await runCommand(place, args, { isRead: false })).status).toBe(1)
  reader.close()
  expect((await runCommand(place, args, { isRead: false })).status).toBe(0)
  expect(findCanaries()).toEqual([])
})

test('after a day, the files keep no address within the hour', async () => {
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'queueMicrotask', 'setImmediate'] })
  let time = NOON
  const inbox = place.open({ now: () => time })
  for (let number = 0; number < 400; number++) {
    const address = `${CANARY}${number}`
    const message = `Message ${number}`
    await inbox.keep(createMessage({ message, address, idempotencyKey: address }))
  }
  let finished = Promise.withResolvers<void>()
  const scrub: typeof inbox.plain.scrub = async (...args) => {
    const result = await inbox.plain.scrub(...args)
    finished.resolve()
    return result
  }
  const retention = startRetention({ inbox: { ...inbox.plain, scrub }, periods: PERIODS })
  await finished.promise
  expect(findCanaries()).toEqual(['inbox.sqlite'])
  finished = Promise.withResolvers()
  time = NOON + 25 * HOUR_MS
  await jest.advanceTimersByTimeAsync(HOUR_MS)
  await finished.promise
  expect(findCanaries()).toEqual([])
  retention.stop()
})
