import { describeError } from '../../server/log.ts'
import { createBundleRenderer } from '../../server/pages/bundle-renderer.ts'
import { MAIL_FROM, MAIL_TO } from '../../tools/harness/mail-check.ts'
import { exchange, until } from '../../tools/harness/raw-client.ts'
import { startSmtp } from '../../tools/harness/smtp.ts'
import {
  BEHIND_PROXY,
  createVisitor,
  DIST,
  openSite,
  post,
  postForm,
  VALID,
} from '../support/site.ts'

const CANARY = 'Kanarienvogel'

test('neither a changed message nor a thrown value that is not an error leaks', () => {
  const error = new Error(`${CANARY}\n    at ${CANARY}`)
  error.message = 'another'
  error.name = `${CANARY} of mine`
  for (const thrown of [error, undefined, null, CANARY, { message: CANARY }]) {
    expect(JSON.stringify(describeError(thrown))).not.toContain(CANARY)
  }
  expect(describeError(error)).toMatchObject({ type: 'Error', frames: expect.any(Array) })
})

const PERSON = {
  ...VALID,
  firstName: 'Zqxfirst',
  lastName: 'Zqxlast',
  email: 'zqxmail@zqxhost.ca',
  message: 'Zqxmessage avec des détails.',
}

test('nothing that a visitor wrote reaches the log or the metrics when mail, pages, the store and requests fail', async () => {
  const smtp = await startSmtp({ chooseError: () => '451' })
  const real = await createBundleRenderer(DIST)
  const renderer: typeof real = {
    ...real,
    async render(state) {
      const { values } = state.contact ?? {}
      if (values) throw Object.assign(new TypeError(JSON.stringify(values)), { body: values })
      return real.render(state)
    },
  }
  const SMTP_URL = `smtp://127.0.0.1:${smtp.port}`
  const environment = { ...BEHIND_PROXY, SMTP_URL, MAIL_FROM, MAIL_TO }
  const site = await openSite({ environment, counted: true, realTime: true, parts: { renderer } })

  expect((await post(site, PERSON, createVisitor())).status).toBe(200)
  const refused = await postForm(site, { ...PERSON, email: 'zqx' }, createVisitor())
  expect(refused.status).toBe(500)
  const json = JSON.stringify(PERSON)
  for (const [body, headers] of [
    [json.slice(0, -1), {}],
    [`[${json}]`, {}],
    [json, { 'Content-Type': 'zqx' }],
    [json, { Origin: 'https://zqx.example' }],
  ] as const) {
    const answer = await post(site, body, { ...createVisitor(), ...headers })
    expect(answer.status).toBeGreaterThanOrEqual(400)
  }
  const headers = { Cookie: 'rg-language=zqx', 'User-Agent': 'zqx', Referer: 'https://a.ca/zqx' }
  for (const path of ['/zqx', '/%zzzqx', '/contact?sent=zqx', '/assets/zqx.js', '/api/zqx']) {
    await fetch(site.url + path, { headers })
  }
  await exchange(site, 'GET /zqx zqx HTTP/1.1\r\nHost: zqx\r\n\r\n')
  await site.store.close()
  expect((await post(site, PERSON, createVisitor())).status).toBe(503)
  await until(() => smtp.connections > 0)
  const metrics = await site.readMetrics()
  await site.stop()
  await smtp.stop()

  const log = JSON.stringify(site.logged)
  expect(log).toContain('TypeError')
  // Neither the log nor the metrics may show the last part of an IP address.
  expect(log + metrics).not.toMatch(/zqx|198\.1[89]\.\d+\.(?!0\/24)\d/i)
})
