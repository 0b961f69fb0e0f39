import { askRaw, sendBody, setUpSite, site, VALID } from '../setup.ts'

async function ask(target: string, host?: string, version = '1.1') {
  const lines = host === undefined ? '' : `Host: ${host}\r\n`
  return (await askRaw(`GET ${target} HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`)).status
}

describe('with PUBLIC_URL', () => {
  const origins = ['https://www.exemple.ca', 'http://exemple.ca:8080']
  setUpSite({ environment: { PUBLIC_URL: origins.join() } })
  // Visit this page first, so that it is cached.
  beforeAll(() => ask('/', 'localhost'))

  test.each([
    ['/', 'www.exemple.ca', 200],
    ['/', 'WWW.Exemple.CA', 200],
    ['/', 'www.exemple.ca:443', 200],
    ['/', 'exemple.ca:8080', 200],
    ['/', 'LOCALHOST:3000', 200],
    ['/', '[::ffff:127.0.0.1]', 200],
    ['/', '[::1]:3000', 200],
    ['/livez', '10.1.2.3:3000', 200],
    ['/readyz', 'evil.example', 200],
    ['/livez?probe=1', '', 200],
    ['https://www.exemple.ca/services', 'evil.example', 200],
    ['HTTP://WWW.EXEMPLE.CA:443/', 'evil.example', 200],
    ['http://10.1.2.3/livez', '10.1.2.3', 200],
    ['/', 'evil.example', 421],
    ['/', 'exemple.ca', 421],
    ['/', 'www.exemple.ca:8443', 421],
    ['/', 'www.exemple.ca.', 421],
    ['/', 'localhost.evil.example', 421],
    ['/', '128.0.0.1', 421],
    ['/', '[::2]', 421],
    ['/', 'localhost:x', 421],
    ['/', 'www.exemple.ca, evil.example', 421],
    ['/', 'user@www.exemple.ca', 421],
    ['/', '', 421],
    ['/icon.svg', 'evil.example', 421],
    ['//livez', 'evil.example', 421],
    ['/?/livez', 'evil.example', 421],
    ['http://evil.example/', 'www.exemple.ca', 421],
    ['http://localhost:99999/', 'localhost', 421],
    ['*', 'evil.example', 421],
  ])('%s of %s is %d', async (target, host, status) => {
    expect(await ask(target, host)).toBe(status)
  })

  test('a message under a foreign host is 421, and not kept', async () => {
    const answer = await sendBody(VALID, { Host: 'evil.example' }).expect(421)
    expect(answer.body).toMatchObject({ status: 421, code: 'misdirected' })
    expect(await site.messages()).toEqual([])
  })

  test('HTTP/1.0 without Host is 421, except for health checks', async () => {
    expect(await ask('/', undefined, '1.0')).toBe(421)
    expect(await ask('/livez', undefined, '1.0')).toBe(200)
  })
})

describe('without PUBLIC_URL', () => {
  setUpSite()

  test.each([
    ['/', 'evil.example'],
    ['/', ''],
    ['http://evil.example/', 'localhost'],
  ])('%s of %s is answered', async (target, host) => {
    expect(await ask(target, host)).toBe(200)
  })

  test('HTTP/1.0 needs no Host, and has no second one', async () => {
    expect(await ask('/', undefined, '1.0')).toBe(200)
    expect(await ask('/', 'localhost\r\nhOsT: evil.example', '1.0')).toBe(400)
  })
})
