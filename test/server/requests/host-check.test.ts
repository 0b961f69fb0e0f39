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

  const served: [target: string, host: string][] = [
    ['/', 'www.exemple.ca'],
    ['/', 'WWW.Exemple.CA'],
    ['/', 'www.exemple.ca:443'],
    ['/', 'exemple.ca:8080'],
    ['/', 'LOCALHOST:3000'],
    ['/', '[::ffff:127.0.0.1]'],
    ['/', '[::1]:3000'],
    ['/livez', '10.1.2.3:3000'],
    ['/readyz', 'evil.example'],
    ['/livez?probe=1', ''],
    ['https://www.exemple.ca/services', 'evil.example'],
    ['HTTP://WWW.EXEMPLE.CA:443/', 'evil.example'],
    ['http://10.1.2.3/livez', '10.1.2.3'],
  ]
  test.each(served)('%s of %s is answered', async (target, host) => {
    expect(await ask(target, host)).toBe(200)
  })

  const refused: [target: string, host: string][] = [
    ['/', 'evil.example'],
    ['/', 'exemple.ca'],
    ['/', 'www.exemple.ca:8443'],
    ['/', 'www.exemple.ca.'],
    ['/', 'localhost.evil.example'],
    ['/', '128.0.0.1'],
    ['/', '[::2]'],
    ['/', 'localhost:x'],
    ['/', 'www.exemple.ca, evil.example'],
    ['/', 'user@www.exemple.ca'],
    ['/', ''],
    ['/icon.svg', 'evil.example'],
    ['//livez', 'evil.example'],
    ['/?/livez', 'evil.example'],
    ['http://evil.example/', 'www.exemple.ca'],
    ['http://localhost:99999/', 'localhost'],
    ['*', 'evil.example'],
  ]
  test.each(refused)('%s of %s is 421', async (target, host) => {
    expect(await ask(target, host)).toBe(421)
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
