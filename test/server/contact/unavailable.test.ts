import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Inbox } from '../../../server/inbox/inbox.ts'
import { InboxUnavailable } from '../../../server/inbox/inbox.ts'
import { createSqliteInbox } from '../../../server/inbox/sqlite/inbox.ts'
import { en } from '../../../shared/content/en.ts'
import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import { createFolder } from '../../../tools/harness/folders.ts'
import { NOON, type Site, soon, startSite } from '../../support/site.ts'

const folder = createFolder()
const OTHER = { ...VALID, message: 'Un tout autre message.' }

let site: Site
afterEach(() => site.stop())

/** What a visitor is told while nothing can be kept. */
function expectUnavailable({ status, headers, body }: Awaited<ReturnType<typeof post>>): void {
  expect(status).toBe(503)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(body).toMatchObject({ status: 503, code: 'unavailable' })
  expect(body.detail).toContain('613\u00a0555-0199')
  expect(body.detail).toContain('info@example.ca')
}

describe('while another process holds the database', () => {
  let database: DatabaseSync
  const path = join(folder, 'locked.sqlite')
  beforeEach(async () => {
    site = await startSite({ database: path })
    await site.inbox.open(soon())
    database = new DatabaseSync(path)
    database.exec('BEGIN IMMEDIATE')
  })
  afterEach(() => {
    if (database.isOpen) database.close()
  })

  test('503, nothing kept afterwards, and it works again', async () => {
    const [api, form] = await Promise.all([post(site, VALID), postForm(site, OTHER)])
    expectUnavailable(api)
    expect(form.status).toBe(503)
    expect(Number(form.headers['retry-after'])).toBeGreaterThan(0)
    expect(form.text).toContain('613\u00a0555-0199')
    expect(form.text).toContain(OTHER.message)
    expect((await fetch(`${site.url}/contact`)).status).toBe(200)
    expect((await fetch(`${site.url}/readyz`)).status).toBe(200)
    database.close()
    await site.inbox.open(soon())
    expect(await site.messages()).toEqual([])
    expect((await post(site, VALID)).status).toBe(200)
    expect((await post(site, OTHER)).status).toBe(200)
    expect((await post(site, VALID)).status).toBe(429)
  })
})

/** A store in which one kind of call fails until it is healed. */
class BrokenInbox {
  sick = true
  readonly inbox: Inbox

  constructor(real: Inbox, broken: 'submit' | 'hasReference', error: Error) {
    this.inbox = {
      ...real,
      [broken]: async (...args: never[]) => {
        if (this.sick) throw error
        return (real[broken] as (...args: never[]) => unknown)(...args)
      },
    }
  }
}

const real: Inbox[] = []
afterAll(() => Promise.all(real.map((inbox) => inbox.close())))

async function startBroken(
  call: 'submit' | 'hasReference',
  error: Error = new InboxUnavailable('full'),
) {
  const path = join(folder, `${real.length}.sqlite`)
  const inbox = createSqliteInbox({ path, now: () => NOON })
  real.push(inbox)
  const broken = new BrokenInbox(inbox, call, error)
  site = await startSite({ parts: { inbox: broken.inbox } })
  const messages = () => inbox.list({ limit: 10, order: 'oldest-first' }, soon())
  return { broken, messages }
}

test('a message that cannot be kept takes no place in the limit', async () => {
  const { broken, messages } = await startBroken('submit')
  for (const body of [VALID, OTHER, VALID]) expectUnavailable(await post(site, body))
  expect(await messages()).toEqual([])
  broken.sick = false
  const statuses = []
  for (const body of [VALID, OTHER, VALID]) statuses.push((await post(site, body)).status)
  expect(statuses).toEqual([200, 200, 429])
})

test('503 does not count as a refusal of the visitor', async () => {
  const { broken } = await startBroken('submit')
  for (let time = 0; time < 31; time += 1) expect((await post(site, VALID)).status).toBe(503)
  broken.sick = false
  expect((await post(site, VALID)).status).toBe(200)
})

test('an error of ours is 500 and logged, both without its text', async () => {
  const { messages } = await startBroken('submit', new TypeError('inner workings'))
  const { status, text } = await post(site, VALID)
  expect(status).toBe(500)
  expect(text).not.toContain('inner workings')
  expect(await messages()).toEqual([])
  const logged = JSON.stringify(site.logged)
  expect(logged).toMatch(/"type":"TypeError","frames":.*unavailable\.test\.ts/)
  expect(logged).not.toContain('inner workings')
})

test('the page says it in the language of the visitor, with what was typed', async () => {
  await startBroken('submit')
  const { status, text } = await postForm(site, VALID, { Cookie: 'rg-language=en' })
  expect(status).toBe(503)
  expect(text).toContain('<html lang="en-CA"')
  expect(text).toContain('613-555-0199')
  expect(text).toContain(en.contact.failed.title)
  expect(text).toContain(`value="${VALID.email}"`)
})

test('a store is not asked for what cannot be a reference', async () => {
  await startBroken('hasReference', new Error('The store was asked'))
  for (const sent of ['%00', 'x', 'RG-22222-2222', 'RG-22222-2222O', 'rg-22222-22222', '']) {
    expect((await fetch(`${site.url}/contact?sent=${sent}`)).status).toBe(200)
  }
})

test('the contact page is served also when a reference cannot be looked up', async () => {
  await startBroken('hasReference')
  const answer = await fetch(`${site.url}/contact?sent=RG-22222-22222`)
  expect(answer.status).toBe(200)
  expect(await answer.text()).not.toContain('RG-22222-22222')
})
