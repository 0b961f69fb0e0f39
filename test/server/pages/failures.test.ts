import type { Renderer } from '../../../server/app.ts'
import { createBundleRenderer } from '../../../server/pages/bundle-renderer.ts'
import { readDocument } from '../../../server/pages/html-shell.ts'
import { company } from '../../../shared/content/company.ts'
import { CONTENT, en } from '../../../shared/content/index.ts'
import { fill, getCompanyValues } from '../../../shared/format.ts'
import { LANGUAGES, type Language } from '../../../shared/language.ts'
import { openSocket, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { createFailingRenderer, DIST } from '../../support/site.ts'
import { get, restartSite, setUpSitePerTest, site } from '../setup.ts'

setUpSitePerTest()

const SHELL = { head: '<main>', tail: '</main>' }

const start = (renderer: Renderer) => restartSite({ parts: { renderer } })
const getRequestLog = (headers: Record<string, string>) =>
  JSON.stringify(site.logged.filter(({ requestId }) => requestId === headers['x-request-id']))

const getSentence = (language: Language) =>
  fill(CONTENT[language].errors.problems['server-error'], getCompanyValues(company, language))

const real = await createBundleRenderer(DIST)
const unset: object = { retention: undefined }

test.each<[fault: string, render: Renderer['render']]>([
  ['throws', () => Promise.reject(new Error('is broken'))],
  ['React cannot render', (state) => real.render({ ...state, ...unset })],
  ['breaks its stream', () => readDocument((page) => page.destroy(new Error('is broken')), SHELL)],
])('a page that %s gives the page of the server error, and is rendered again', async (_, fail) => {
  let renderings = 0
  await start({
    ...real,
    async render(state) {
      renderings += 1
      return renderings === 1 ? fail(state) : real.render(state)
    },
  })
  const { text, headers } = await get('/privacy-policy').expect(500)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers).not.toHaveProperty('etag')
  expect(text).toContain('<html lang="en"')
  expect(text).toContain(en.errors.serverError.headline)
  expect(text).toContain('content="noindex"')
  expect(getRequestLog(headers)).toContain('could not be rendered')
  expect(text + getRequestLog(headers)).not.toContain('is broken')
  expect((await get('/privacy-policy')).status).toBe(200)
  expect(renderings).toBe(3)
})

describe('the last resort, for an error page that throws too,', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test.each(LANGUAGES)('is a sentence for a browser, in its language: %s', async (language) => {
    await start(await createFailingRenderer('services', 'server-error'))
    const asked = { Accept: BROWSER, 'Accept-Language': language }
    const { status, text, headers } = await get('/services', asked)
    expect([status, headers['content-type']]).toEqual([500, 'text/plain; charset=utf-8'])
    expect(text).toBe(getSentence(language))
    expect(headers['cache-control']).toBe('no-store')
    expect(getRequestLog(headers)).toMatch(/support\/site\.ts.*failed/)
  })

  test('is a problem for a program, and under /api for all', async () => {
    await start(await createFailingRenderer('services', 'server-error'))
    const answers = await Promise.all([
      get('/services', { Accept: '*/*' }),
      get('/services', { Accept: 'application/json' }),
      get('/api/test-error', { Accept: BROWSER }),
    ])
    for (const { headers } of answers)
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
  })
})

/** Requests a page and disconnects while it is rendered; only then lets the rendering end. */
async function leaveEarly(finish: () => Promise<string>, headers = {}): Promise<void> {
  const asked = Promise.withResolvers<void>()
  await start({
    build: 'late',
    render: async () => {
      asked.resolve()
      await until(() => site.logged.some(({ left }) => left))
      return finish()
    },
  })
  const socket = await openSocket(site)
  socket.write(writeRequest('GET', '/', headers))
  await asked.promise
  socket.destroy()
}

test('a server error is logged although the client disconnected mid-body', async () => {
  const fail = () => {
    throw new Error('ours')
  }
  await leaveEarly(fail, { 'Content-Length': 10 })
  await until(() => site.logged.some(({ msg }) => msg === 'request failed'))
})

test('a visitor who leaves causes no error, and the page is kept for the next', async () => {
  let renderings = 0
  await leaveEarly(() => {
    renderings += 1
    return readDocument((page) => page.end('the page'), SHELL)
  })
  await until(() => renderings)
  const { text } = await get('/')
  expect([text, renderings]).toEqual(['<main>the page</main>', 1])
  expect(site.logged.filter(({ level }) => Number(level) > 30)).toEqual([])
})
