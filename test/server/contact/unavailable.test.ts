import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { InboxUnavailable } from '../../../server/inbox/inbox-errors.ts'
import type { Store } from '../../../server/inbox/store.ts'
import { company } from '../../../shared/content/company.ts'
import { formatPhone } from '../../../shared/format.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { createFolder } from '../../support/folders.ts'
import {
  createVisitor,
  get,
  getStatuses,
  restartSite,
  send,
  sendForm,
  setUpSite,
  site,
  tally,
} from '../setup.ts'

const folder = createFolder()
const OTHER = { message: 'Un tout autre message.' }

setUpSite()

function expectUnavailable({ status, headers, body }: Awaited<ReturnType<typeof send>>): void {
  expect(status).toBe(503)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(body).toMatchObject({ status: 503, code: 'unavailable' })
  expect(body.detail).toContain(formatPhone(company.phone, 'fr'))
  expect(body.detail).toContain(company.email)
}

test('while another process holds the database, pages are served, and nothing is stored, also not afterwards', async () => {
  const path = join(folder, 'locked.sqlite')
  await restartSite({ database: path, storeTimeoutMs: 1000 })
  const visitor = createVisitor()
  using database = new DatabaseSync(path, { timeout: 5000 })
  database.exec('BEGIN IMMEDIATE')
  const [api, form] = await Promise.all([send({}, visitor), sendForm(OTHER, visitor)])
  expectUnavailable(api)
  expect(form.status).toBe(503)
  expect(Number(form.headers['retry-after'])).toBeGreaterThan(0)
  expect(form.text).toContain(formatPhone(company.phone, 'fr'))
  expect(form.text).toContain(OTHER.message)
  for (const path of ['/', '/contact', '/readyz']) expect((await get(path)).status).toBe(200)
  database.exec('ROLLBACK')
  await until(() => site.store.state() === 'open')
  expect(await site.messages()).toEqual([])
  const statuses = await getStatuses(3, (index) => send({ lastName: `${index}` }, visitor))
  expect(statuses).toEqual([200, 200, 429])
})

test('a store that cannot be opened does not stop the start, and 503 is no refusal of the visitor', async () => {
  const file = join(folder, 'not-a-folder')
  writeFileSync(file, '')
  await restartSite({ database: join(file, 'inbox.sqlite') })
  const visitor = createVisitor()
  expectUnavailable(await send({}, visitor))
  expect(tally(await getStatuses(31, () => send({}, visitor)))).toEqual({ 503: 31 })
  expect(await get('/contact?sent=RG-22222-22222')).toMatchObject({ status: 200 })
  const reasons = site.logged.map(({ reason }) => reason).filter(Boolean)
  expect(tally(reasons)).toMatchObject({ 'cannot-open': expect.any(Number) })
  expect(site.logged.filter(({ err }) => err)).toEqual([])
})

const startFailing = (error: Error) => {
  const store: Store = { ...site.store, transaction: () => Promise.reject(error) }
  return restartSite({ parts: { store } })
}

test('another error of the store is a 500 problem', async () => {
  await startFailing(new Error('Something else'))
  expect((await send().expect(500)).body).toMatchObject({ status: 500, code: 'server-error' })
})

test('a store that is full is 503; the contact page is served', async () => {
  await startFailing(new InboxUnavailable('full'))
  expectUnavailable(await send())
  const { text } = await get('/contact?sent=RG-22222-22222').expect(200)
  expect(text).not.toContain('RG-22222-22222')
})
