import { Registry } from 'prom-client'
import request from 'supertest'
import { createInboxMetrics } from '../../../server/api/metrics/metrics.ts'
import { InboxUnavailable } from '../../../server/inbox/inbox.ts'
import { post, postForm, VALID } from '../../../tools/harness/contact.ts'
import {
  exchange,
  hangUp,
  openSocket,
  until,
  writeRequest,
} from '../../../tools/harness/raw-client.ts'
import { BEHIND_PROXY, createVisitor, type Site, startSite } from '../../support/site.ts'

let site: Site
beforeEach(async () => {
  site = await startSite({ environment: BEHIND_PROXY, counted: true })
})
afterEach(() => site.stop())

const has = async (line: string) => (await site.readMetrics()).split('\n').includes(line)
const counts = (line: string) => until(() => has(line))

test('requests are counted by page and status', async () => {
  for (const path of ['/services', '/services', '/services?lang=en&secret', '/secret', '/livez']) {
    await request(site.url).get(path)
  }
  await counts('http_requests_total{page="services",status="200"} 3')
  await counts('http_requests_total{page="not-found",status="404"} 1')
  await counts('http_requests_total{page="health",status="200"} 1')
  await counts('http_request_duration_seconds_count{page="services"} 3')
  await counts('http_request_duration_seconds_bucket{page="services",le="15"} 3')
  await counts('http_request_duration_seconds_bucket{page="services",le="+Inf"} 3')
  expect(await site.readMetrics()).toMatch(
    /^http_request_duration_seconds_sum{page="services"} 0\.\d/m,
  )
  expect(await site.readMetrics()).not.toContain('secret')
})

test('the test pages are counted under names of their own', async () => {
  for (const path of ['/test-404', '/test-500', '/error-test', '/api/test-error']) {
    await request(site.url).get(path)
  }
  await request(site.url).get('/api/nonexistent-endpoint')
  await counts('http_requests_total{page="test-404",status="404"} 1')
  await counts('http_requests_total{page="test-500",status="500"} 1')
  await counts('http_requests_total{page="error-test",status="200"} 1')
  await counts('http_requests_total{page="test-error",status="500"} 1')
  await counts('http_requests_total{page="api",status="404"} 1')
})

test('a visitor who leaves is counted as left', async () => {
  const endless = await startSite({
    counted: true,
    parts: { renderer: { render: () => new Promise(() => {}) } },
  })
  await hangUp(endless, writeRequest('GET', '/services'))
  const line = 'http_requests_total{page="services",status="left"} 1'
  await until(async () => (await endless.readMetrics()).includes(line))
  await endless.stop()
})

test('contact requests are counted by outcome', async () => {
  const visitor = createVisitor()
  await post(site, VALID, visitor).expect(200)
  await post(site, VALID, visitor).expect(200)
  await postForm(site, { ...VALID, url: 'x' }, createVisitor()).expect(303)
  await post(site, { ...VALID, message: 'short' }, createVisitor()).expect(400)
  await postForm(site, { ...VALID, message: 'short' }, createVisitor()).expect(400)
  await post(site, '{', createVisitor()).expect(400)
  await post(site, { ...VALID, message: 'A third message' }, visitor).expect(429)
  await site.inbox.close()
  await post(site, VALID, createVisitor()).expect(503)
  const lines = (await site.readMetrics())
    .split('\n')
    .filter((line) => line.startsWith('contact_requests_total') && !line.endsWith(' 0'))
  expect(
    lines.map((line) => /outcome="(.*)"} (\d+)/.exec(line)?.slice(1).join(' ')).sort(),
  ).toEqual([
    'accepted 1',
    'limit-reached 1',
    'malformed-json 1',
    'message-too-short 2',
    'quarantined 1',
    'replayed 1',
    'unavailable 1',
  ])
})

test('a visitor who leaves in the middle of a body is counted as left', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': 100 }
  const socket = await openSocket(site)
  socket.write(writeRequest('POST', '/api/contact', headers, '{'))
  await until(() => has('contact_requests_total{outcome="left"} 0'))
  socket.destroy()
  await counts('contact_requests_total{outcome="left"} 1')
})

test('script errors are counted by page, unknown pages as one', async () => {
  for (const path of ['/services', '/error-test', '/secret']) {
    await request(site.url).post('/api/client-errors').set(createVisitor()).send({ path })
  }
  await counts('client_errors_total{page="services"} 1')
  await counts('client_errors_total{page="error-test"} 1')
  await counts('client_errors_total{page="not-found"} 1')
})

test('waiting messages are shown with the age of the oldest', async () => {
  await post(site, VALID, createVisitor())
  site.clock.time += 60_000
  await post(site, { ...VALID, url: 'x' }, createVisitor())
  site.clock.time += 60_000
  await counts('inbox_up 1')
  await counts('inbox_messages{status="queued"} 1')
  await counts('inbox_oldest_message_age_seconds{status="queued"} 120')
  await counts('inbox_messages{status="quarantined"} 1')
  await counts('inbox_oldest_message_age_seconds{status="quarantined"} 60')
  await counts('inbox_messages{status="dead"} 0')
  await counts('mail_configured 0')
})

test('an inbox that is slow to count is up all the same', async () => {
  const registry = new Registry()
  const inbox = {
    measure: () => Promise.reject(new InboxUnavailable('deadline')),
    state: () => 'open' as const,
  }
  await createInboxMetrics(registry, inbox)()
  expect(await registry.metrics()).toMatch(/^inbox_up 1$/m)
  expect(await registry.metrics()).not.toMatch(/^inbox_messages{/m)
})

test('a failed inbox shows as down, and the scrape succeeds', async () => {
  await site.inbox.close()
  await counts('inbox_up 0')
  expect(await site.readMetrics()).not.toMatch(/^inbox_messages{/m)
  expect(await site.readMetrics()).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
})

test('a request without a label is counted, too', async () => {
  const answer = await exchange(site, writeRequest('GET', '/%zz'))
  expect(answer).toMatch(/^HTTP\/1.1 400/)
  await counts('http_requests_total{page="bad-request",status="400"} 1')
  await exchange(site, writeRequest('POST', '//twice'))
  await counts('http_requests_total{page="none",status="308"} 1')
})
