import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createInbox } from '../../../server/inbox/create-inbox.ts'
import type { Inbox } from '../../../server/inbox/inbox.ts'
import { InboxUnavailable } from '../../../server/inbox/inbox-errors.ts'
import { company } from '../../../shared/content/company.ts'
import { formatPhone } from '../../../shared/format.ts'
import { createFolder } from '../../support/folders.ts'
import {
  get,
  getStatuses,
  NOON,
  restartSite,
  send,
  sendForm,
  setUpSitePerTest,
  site,
  soon,
} from '../setup.ts'

const folder = createFolder()
const OTHER = { message: 'Un tout autre message.' }

setUpSitePerTest()

function expectUnavailable({ status, headers, body }: Awaited<ReturnType<typeof send>>): void {
  expect(status).toBe(503)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(body).toMatchObject({ status: 503, code: 'unavailable' })
  expect(body.detail).toContain(formatPhone(company.phone, 'fr'))
  expect(body.detail).toContain(company.email)
}

test('while another process holds the database, nothing is stored, also not afterwards', async () => {
  const path = join(folder, 'locked.sqlite')
  await restartSite({ database: path })
  await site.inbox.probe(soon())
  using database = new DatabaseSync(path, { timeout: 5000 })
  database.exec('BEGIN IMMEDIATE')
  const [api, form] = await Promise.all([send(), sendForm(OTHER)])
  expectUnavailable(api)
  expect(form.status).toBe(503)
  expect(Number(form.headers['retry-after'])).toBeGreaterThan(0)
  expect(form.text).toContain(formatPhone(company.phone, 'fr'))
  expect(form.text).toContain(OTHER.message)
  for (const path of ['/contact', '/readyz']) expect((await get(path)).status).toBe(200)
  database.exec('ROLLBACK')
  await site.inbox.probe(soon())
  expect(await site.messages()).toEqual([])
  expect(await getStatuses(3, (index) => send(index === 1 ? OTHER : {}))).toEqual([200, 200, 429])
})

const openInbox = () =>
  createInbox({ kind: 'sqlite', path: join(folder, 'inbox.sqlite') }, { now: () => NOON })

test('503 counts neither as a message nor as a refusal of the visitor', async () => {
  const inbox = openInbox()
  let isFull = true
  const submit: Inbox['submit'] = async (_deadline, ...args) => {
    if (isFull) throw new InboxUnavailable('full')
    return inbox.submit(soon(), ...args)
  }
  await restartSite({ parts: { inbox: { ...inbox, submit } } })
  for (let sent = 0; sent < 31; sent += 1) expectUnavailable(await send())
  expect(await site.messages()).toEqual([])
  const { length } = site.logged.filter(({ reason }) => reason === 'full')
  expect([length, site.logged.filter(({ err }) => err)]).toEqual([31, []])
  isFull = false
  expect(await getStatuses(3, (index) => send(index === 1 ? OTHER : {}))).toEqual([200, 200, 429])
})

const startFailing = (call: 'find' | 'submit', error: Error) =>
  restartSite({ parts: { inbox: { ...openInbox(), [call]: () => Promise.reject(error) } } })

test('another error of the store is a 500 problem', async () => {
  await startFailing('submit', new Error('Something else'))
  expect((await send().expect(500)).body).toMatchObject({ status: 500, code: 'server-error' })
})

test('a malformed reference is not looked up', async () => {
  await startFailing('find', new Error('The store was asked'))
  for (const sent of ['%00', 'RG-22222-2222', 'rg-22222-22222']) {
    await get(`/contact?sent=${sent}`).expect(200)
  }
})

test('the contact page is served also when the lookup fails', async () => {
  await startFailing('find', new InboxUnavailable('full'))
  const { text } = await get('/contact?sent=RG-22222-22222').expect(200)
  expect(text).not.toContain('RG-22222-22222')
})
