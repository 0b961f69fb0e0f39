import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { postMessage } from '../../../tools/harness/client.ts'
import { run, type SiteProcess, startSiteProcess } from '../../../tools/harness/process.ts'
import { until } from '../../../tools/harness/raw-client.ts'

const MAIN = join(import.meta.dirname, '../../../server/main.js')
const SEVERAL = { WEB_CONCURRENCY: '2', METRICS_PORT: '0', TRUST_PROXY: '1' }

const getReady = ({ logged }: SiteProcess) => logged.filter(({ msg }) => msg === 'worker ready')

function findLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Sends a request on a new connection; resolves to its status, or to how it failed. */
const ask = (url: string): Promise<number | 'hangs' | 'cut'> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    request.once('error', () => resolve('cut'))
    request.setTimeout(60_000, () => resolve('hangs'))
  })

describe('two processes', () => {
  let site: SiteProcess
  beforeAll(async () => {
    site = await startSiteProcess({ environment: SEVERAL })
  })

  test('accept exactly the limit, and share one port', async () => {
    const send = (_: unknown, n: number) =>
      postMessage(site.url, { message: `Message number ${n}` }, '198.18.0.1')
    const answers = await Promise.all(Array.from({ length: 25 }, send))
    const count = (status: number) => answers.filter((each) => each.status === status).length
    expect([count(200), count(429)]).toEqual([2, 23])
    const answering = () => new Set(site.logged.filter((e) => e.status).map(({ worker }) => worker))
    // A connection goes to the process that accepts it first, so ask until both workers have answered.
    await until(async () => {
      await ask(site.url)
      return answering().size === 2
    })
    expect(getReady(site)).toHaveLength(2)
  })

  test('aggregate their metrics, also of a worker that was killed and replaced', async () => {
    const expected = [
      'site_workers 2',
      'site_workers_expected 2',
      'contact_requests_total{outcome="accepted"} 2',
      'contact_requests_total{outcome="limit-reached"} 23',
      'inbox_messages{status="queued"} 2',
      'inbox_up 1',
    ]
    const has = async (lines: string[]) => {
      const read = (await site.readMetrics()).split('\n')
      return lines.every((line) => read.includes(line))
    }
    await until(() => has(expected))
    process.kill(Number(getReady(site)[0]?.pid), 'SIGKILL')
    await until(() => getReady(site).length === 3)
    await until(() => has([...expected, 'site_worker_exits_total 1']))
    expect((await fetch(site.url)).status).toBe(200)
  })

  test('serve the metrics only on their own port and path', async () => {
    const port = site.logged.find((entry) => 'metricsPort' in entry)?.metricsPort
    const { headers } = await fetch(`http://localhost:${port}/metrics`)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect((await fetch(`http://localhost:${port}/`)).status).toBe(404)
    expect((await fetch(`${site.url}/metrics`)).status).toBe(404)
  })

  test('shut down gracefully', async () => {
    expect(await site.stop()).toBe(0)
    expect(site.logged.filter(({ msg }) => msg === 'stopped')).toHaveLength(3)
  })
})

const onLinux = existsSync('/proc/self/fd') ? test : test.skip // Only Linux lists a process's sockets in /proc.

onLinux('a killed worker leaves no request waiting, and no socket in the primary', async () => {
  const site = await startSiteProcess({ environment: { WEB_CONCURRENCY: '2' } })
  const folder = `/proc/${site.child.pid}/fd`
  const sockets = () =>
    readdirSync(folder).filter((name) => findLink(join(folder, name))?.startsWith('socket'))
  const before = sockets().length
  for (let round = 0; round < 3; round += 1) {
    const count = getReady(site).length
    process.kill(Number(getReady(site).at(-1)?.pid), 'SIGKILL')
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(site.url)))
    expect(answers).not.toContain('hangs')
    await until(() => getReady(site).length > count)
  }
  await until(() => sockets().length <= before)
  expect(await site.stop()).toBe(0)
})

test('a start that cannot succeed is explained once, and ends with 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const environment = { ...SEVERAL, HOST: '127.0.0.1', PORT: String(port) }
  const { status, stderr } = await run(process.execPath, [MAIN], environment)
  taken.close()
  expect(status).toBe(1)
  expect(stderr.match(/cannot listen/g)).toHaveLength(1)
})

test.each([
  ['one process', {}],
  ['several', SEVERAL],
])(
  'an uncaught error is logged without its message, and ends its process: %s',
  async (_, several) => {
    const script = "process.on('SIGUSR2', () => Promise.reject(new Error('Kanarien' + 'vogel')))"
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(script)}`
    const site = await startSiteProcess({ environment: { ...several, NODE_OPTIONS } })
    const exited = once(site.child, 'exit')
    const pid = getReady(site)[0]?.pid ?? site.child.pid
    process.kill(Number(pid), 'SIGUSR2')
    const fatal = await until(() => site.logged.find(({ level }) => level === 60))
    expect(fatal).toMatchObject({ err: { type: 'Error' } })
    expect((await fetch(site.url)).status).toBe(200)
    expect(JSON.stringify(site.logged)).not.toContain('Kanarienvogel')
    if (getReady(site).length === 0) {
      expect((await exited)[0]).toBe(1)
      return
    }
    const isEnd = ({ msg }: Record<string, unknown>) => String(msg).startsWith('worker ended')
    expect(await until(() => site.logged.find(isEnd))).toMatchObject({ code: 1, signal: null })
    await site.stop()
  },
)
