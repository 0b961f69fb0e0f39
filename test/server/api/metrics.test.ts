import { createMetrics } from '../../../server/api/metrics.ts'
import { InboxUnavailable } from '../../../server/inbox/inbox-errors.ts'
import { openSocket, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import {
  createVisitor,
  get,
  report,
  send,
  sendBody,
  sendForm,
  setUpSitePerTest,
  site,
} from '../setup.ts'

setUpSitePerTest({ counted: true, environment: { REVISION: '5c0ffee' } })

/** Waits until the metrics have these lines. */
async function shows(text: string): Promise<void> {
  const lines = text.trim().split(/\n\s*/)
  await until(async () => {
    const read = (await site.readMetrics()).split('\n')
    return lines.every((line) => read.includes(line))
  })
}

// A count of errors starts at 0, so that Prometheus sees the first error as an increase.
test('requests are counted by page and status', async () => {
  for (const path of ['/services', '/services', '/services?lang=en&secret', '/secret', '/livez']) {
    await get(path)
  }
  await shows(`
    http_requests_total{page="services",status="200"} 3
    http_requests_total{page="services",status="500"} 0
    http_requests_total{page="not-found",status="404"} 1
    http_requests_total{page="health",status="200"} 1
    http_request_duration_seconds_count{page="services"} 3
    http_request_duration_seconds_bucket{le="15",page="services"} 3
    http_request_duration_seconds_bucket{le="+Inf",page="services"} 3
  `)
  expect(await site.readMetrics()).toMatch(
    /^http_request_duration_seconds_sum{page="services"} 0\.\d/m,
  )
  expect(await site.readMetrics()).not.toContain('secret')
})

test('contact requests are counted by outcome', async () => {
  const visitor = createVisitor()
  await send({}, visitor).expect(200)
  await send({}, visitor).expect(200)
  await sendForm({ url: 'x' }).expect(303)
  await send({ message: 'short' }).expect(400)
  await sendForm({ message: 'short' }).expect(400)
  await sendBody('{').expect(400)
  await send({ message: 'A third message' }, visitor).expect(429)
  await site.inbox.close()
  await send().expect(503)
  const counted = /^contact_requests_total{outcome="(.*)"} ([1-9]\d*)$/gm
  const outcomes = [...(await site.readMetrics()).matchAll(counted)]
  expect(outcomes.map(([, outcome, count]) => `${outcome} ${count}`).sort()).toEqual([
    'accepted 1',
    'limit-reached 1',
    'malformed-json 1',
    'message-too-short 2',
    'quarantined 1',
    'replayed 1',
    'unavailable 1',
  ])
})

test('a visitor who leaves in the middle of a body is counted as left, and is no error', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': 100 }
  const socket = await openSocket(site)
  socket.write(writeRequest('POST', '/api/contact', headers, '{'))
  await shows('contact_requests_total{outcome="left"} 0')
  socket.destroy()
  await shows(`
    contact_requests_total{outcome="left"} 1
    http_requests_total{page="api/contact",status="left"} 1
  `)
  expect(site.logged.filter(({ level }) => Number(level) > 30)).toEqual([])
})

test('script errors are counted by page, unknown pages as one', async () => {
  for (const path of ['/services', '/error-test', '/secret']) {
    await report({ path })
  }
  await shows(`
    client_errors_total{page="services"} 1
    client_errors_total{page="error-test"} 1
    client_errors_total{page="not-found"} 1
  `)
})

test('waiting messages are shown with the age of the oldest', async () => {
  await send()
  site.clock.time += 60_000
  await send({ url: 'x' })
  site.clock.time += 60_000
  await shows(`
    inbox_up 1
    inbox_messages{status="queued"} 1
    inbox_oldest_message_age_seconds{status="queued"} 120
    inbox_messages{status="quarantined"} 1
    inbox_oldest_message_age_seconds{status="quarantined"} 60
    inbox_messages{status="dead"} 0
    mail_configured 0
    site_build_info{revision="5c0ffee"} 1
  `)
})

test('an inbox that is slow to count is up all the same', async () => {
  const inbox = {
    measure: () => Promise.reject(new InboxUnavailable('deadline')),
    state: () => 'open' as const,
  }
  const text = await createMetrics({ inbox, mails: false, revision: 'any' }).read()
  expect(text).toMatch(/^inbox_up 1$/m)
  expect(text).not.toMatch(/^inbox_messages{/m)
})

test('a failed inbox shows as down, and the scrape succeeds', async () => {
  await site.inbox.close()
  await shows('inbox_up 0')
  expect(await site.readMetrics()).not.toMatch(/^inbox_messages{/m)
  expect(await site.readMetrics()).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
})
