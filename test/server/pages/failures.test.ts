import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { type Renderer, streamDocument } from '../../../server/pages/renderer.ts'
import { en, fr } from '../../../shared/content/index.ts'
import { openSocket, until, writeRequest } from '../../../tools/harness/raw-client.ts'
import { createFailingRenderer } from '../../support/renderers.ts'
import { get, restartSite, setUpSitePerTest, site } from '../setup.ts'

setUpSitePerTest()

const start = (renderer: Renderer) => restartSite({ parts: { renderer } })
const getRequestLog = (headers: Record<string, string>) =>
  JSON.stringify(site.logged.filter(({ requestId }) => requestId === headers['x-request-id']))

describe('a page that throws before its first byte', () => {
  test.each([
    ['/services', 'fr-CA', fr],
    ['/services?lang=en', 'en-CA', en],
  ])('gives the page of the server error: %s', async (path, locale, content) => {
    await start(await createFailingRenderer('services'))
    const { status, text, headers } = await get(path)
    expect(status).toBe(500)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers).not.toHaveProperty('etag')
    expect(text).toContain(`<html lang="${locale}"`)
    expect(text).toContain(content.errors.serverError.headline)
    expect(text).toContain('content="noindex"')
    expect(text).not.toContain('is broken')
    expect(getRequestLog(headers)).toMatch(/renderers\.ts.*could not be rendered/)
    expect(getRequestLog(headers)).not.toContain('is broken')
    expect((await get('/')).status).toBe(200)
  })

  test('an error page that throws too gives the last resort', async () => {
    await start(await createFailingRenderer('services', 'server-error'))
    const { status, text, headers } = await get('/services', { Cookie: 'rg-language=en' })
    expect(status).toBe(500)
    expect(text).toContain(en.errors.problems['server-error'])
    expect(getRequestLog(headers)).toMatch(/renderers\.ts.*failed/)
  })
})

describe('the last resort', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test.each([
    ['fr', fr],
    ['en', en],
  ])('is a sentence for a browser, in its language: %s', async (language, content) => {
    await start(await createFailingRenderer('services', 'server-error'))
    const asked = { Accept: BROWSER, 'Accept-Language': language }
    const { status, text, headers } = await get('/services', asked)
    expect([status, headers['content-type']]).toEqual([500, 'text/plain; charset=utf-8'])
    expect(text).toBe(content.errors.problems['server-error'])
    expect(headers['cache-control']).toBe('no-store')
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
async function leaveEarly(finish: () => Readable, headers = {}): Promise<void> {
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

type Start = Parameters<typeof streamDocument>[0]

const ready =
  (
    pipe: (destination: NodeJS.WritableStream, onError: (error: unknown) => void) => void,
    abort = () => {},
  ): Start =>
  ({ onShellReady, onError }) => {
    setImmediate(onShellReady)
    return { pipe: (destination) => pipe(destination, onError), abort }
  }

/** Starts a site that puts this rendering between a fixed head and tail. */
const startReady = (...rendering: Parameters<typeof ready>) =>
  start({
    build: 'fake',
    render: (_state, onError) =>
      streamDocument(ready(...rendering), { head: '<main>', tail: '</main></html>' }, onError),
  })

describe('an error after the first byte', () => {
  test('of the stream ends the document, and is logged', async () => {
    await startReady((destination) => {
      destination.write('the first half')
      setImmediate(() => (destination as PassThrough).destroy(new Error('too late')))
    })
    const { status, text, headers } = await get('/')
    expect(status).toBe(200)
    expect(text).toBe('<main>the first half</main></html>')
    expect(getRequestLog(headers)).toContain('a page failed while it was streamed')
  })

  test('of a part is logged, and the rest is shown', async () => {
    await startReady((destination, onError) => {
      onError(new Error('a part failed'))
      destination.end('the rest')
    })
    const { text, headers } = await get('/')
    expect(text).toBe('<main>the rest</main></html>')
    expect(getRequestLog(headers)).toContain('a page failed while it was streamed')
  })

  test('of another stream cuts the answer, and is logged', async () => {
    await start({
      build: 'fake',
      render: async () =>
        Readable.from(
          (async function* () {
            yield 'the first half'
            throw new Error('out of our hands')
          })(),
        ),
    })
    await expect(get('/').then(({ text }) => text)).rejects.toThrow()
    await until(() => site.logged.some(({ err, msg }) => err && msg === 'request failed'))
  })
})

test('a visitor who leaves before the page begins stops it, too', async () => {
  const html = new PassThrough()
  await leaveEarly(() => html)
  await until(() => html.destroyed)
})

test('a visitor who leaves stops the rendering, and no error is logged', async () => {
  const aborted = Promise.withResolvers<void>()
  const write = (destination: NodeJS.WritableStream) => destination.write('a beginning without end')
  await startReady(write, aborted.resolve)
  const socket = await openSocket(site)
  socket.write(writeRequest('GET', '/'))
  await once(socket, 'data')
  socket.destroy()
  await aborted.promise
  await until(() => site.logged.some(({ left }) => left))
  // After this answer the site has also handled the disconnect.
  await get('/livez')
  expect(site.logged.filter(({ level }) => Number(level) > 30)).toEqual([])
})

describe('streamDocument', () => {
  const frame = { head: 'head ', tail: ' tail' }
  const unexpected = (error: unknown) => {
    throw error
  }

  test('rejects when the shell fails', async () => {
    const failing: Start = ({ onShellError }) => {
      setImmediate(() => onShellError(new Error('no shell')))
      return { pipe: () => {}, abort: () => {} }
    }
    await expect(streamDocument(failing, frame, unexpected)).rejects.toThrow('no shell')
  })

  test('waits for a slow reader', async () => {
    const body = new PassThrough()
    const begin = ready((destination) => body.pipe(destination))
    const html = await streamDocument(begin, frame, unexpected)
    let written = 0
    const chunk = 'x'.repeat(16 * 1024)
    while (body.write(chunk) && written < 100) {
      written += 1
      await new Promise(setImmediate)
    }
    expect(written).toBeLessThan(100)
    html.destroy()
  })
})
