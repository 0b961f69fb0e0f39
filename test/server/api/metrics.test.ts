import { writeRequest } from '../../../tools/harness/raw-client.ts'
import {
  createVisitor,
  get,
  getRawStatuses,
  report,
  send,
  sendBody,
  sendForm,
  setUpSitePerTest,
  site,
} from '../setup.ts'

setUpSitePerTest({ counted: true })

/** The metrics of this name that are not 0, without the name. */
async function read(name: string): Promise<string[]> {
  const lines = (await site.readMetrics()).split('\n')
  const own = lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return own.map((line) => line.slice(name.length)).filter((line) => !line.endsWith(' 0'))
}

test('requests are counted by page and status, without a visitor’s text', async () => {
  const paths = [
    '/services',
    '/services?lang=en&secret',
    '/secret',
    '/other',
    '/livez',
    '/icon.svg',
  ]
  for (const path of paths) await get(path)
  expect((await read('http_requests_total')).sort()).toEqual([
    '{page="/livez",status="200"} 1',
    '{page="file",status="200"} 1',
    '{page="not-found",status="404"} 2',
    '{page="services",status="200"} 2',
  ])
  expect(await site.readMetrics()).not.toContain('secret')
  expect(await site.readMetrics()).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
})

test('contact requests are counted by outcome', async () => {
  const visitor = createVisitor()
  await send({}, visitor).expect(200)
  await send({}, visitor).expect(200)
  await sendForm({ url: 'x' }).expect(303)
  await send({ message: 'short' }).expect(400)
  await sendForm({ message: 'short' }).expect(400)
  await sendBody('{').expect(400)
  await send({ message: 'A second message' }, visitor).expect(200)
  await send({ message: 'A third message' }, visitor).expect(429)
  await site.store.close()
  await send().expect(503)
  expect((await read('contact_requests_total')).sort()).toEqual([
    '{outcome="accepted"} 2',
    '{outcome="limit-reached"} 1',
    '{outcome="malformed-json"} 1',
    '{outcome="message-too-short"} 2',
    '{outcome="quarantined"} 1',
    '{outcome="repeated"} 1',
    '{outcome="unavailable"} 1',
  ])
})

test('errors of visitors’ browsers and waiting messages are counted; a failed inbox has none', async () => {
  await report({ path: '/secret' })
  await send()
  await send({ url: 'x' })
  expect(await read('client_errors_total')).toEqual([' 1'])
  expect(await read('inbox_messages')).toEqual(['{status="new"} 1', '{status="quarantined"} 1'])
  await site.store.close()
  expect(await read('inbox_messages')).toEqual([])
})

test('the site itself does not serve them', async () => {
  expect(await getRawStatuses(writeRequest('GET', '/metrics'))).toEqual([404])
})
