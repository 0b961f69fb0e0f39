import { join } from 'node:path'
import { createAddress, postMessage } from '../../../tools/harness/client.ts'
import { MAIL_FROM, MAIL_TO } from '../../../tools/harness/mail-check.ts'
import { type SiteProcess, startSiteProcess } from '../../../tools/harness/process.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { type Smtp, startSmtp } from '../../../tools/harness/smtp.ts'
import { createFolder } from '../../support/folders.ts'

const folder = createFolder()
let smtp: Smtp
let one: SiteProcess
let other: SiteProcess

beforeAll(async () => {
  smtp = await startSmtp()
  const environment = {
    DATABASE_URL: `sqlite:${join(folder, 'inbox.sqlite')}`,
    TRUST_PROXY: '1',
    METRICS_PORT: '0',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM,
    MAIL_TO,
  }
  const start = () => startSiteProcess({ environment })
  ;[one, other] = await Promise.all([start(), start()])
})
afterAll(async () => {
  await one.stop()
  await smtp.stop()
})

const countMails = (reference = '') =>
  smtp.mails.filter(({ raw }) => raw.includes(reference)).length

test('two processes over one SQLite file accept exactly the limit, and mail each message once', async () => {
  const address = createAddress()
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      postMessage((n % 2 ? one : other).url, { message: `Message number ${n}` }, address),
    ),
  )
  const count = (status: number) => answers.filter((each) => each.status === status).length
  expect([count(200), count(429)]).toEqual([2, 22])
  const kept = answers.flatMap(({ reference }) => reference ?? [])
  await until(() => kept.every((reference) => countMails(reference) > 0))
  await until(async () => /^inbox_messages{status="queued"} 0$/m.test(await other.readMetrics()))
  expect(kept.map(countMails)).toEqual([1, 1])
})

test('after the kill of one process the other stores and mails', async () => {
  await other.stop('SIGKILL')
  const { status, reference } = await postMessage(one.url)
  expect(status).toBe(200)
  await until(() => countMails(reference) === 1)
})

test('the metrics are served on their own port and path only', async () => {
  const port = one.logged.find((entry) => 'metricsPort' in entry)?.metricsPort
  const { headers } = await fetch(`http://localhost:${port}/metrics`)
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(404)
  expect((await fetch(`${one.url}/metrics`)).status).toBe(404)
})
