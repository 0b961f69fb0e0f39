import {
  createHostilePosts,
  HOSTILE_HEADERS,
  HOSTILE_PATHS,
  readCode,
  UNITS,
} from '../helpers/hostile-texts.ts'
import { exchange, writeRequest } from '../helpers/raw.ts'
import { type Site, startSite } from '../helpers/site.ts'
import { BEHIND_PROXY, createVisitor } from '../helpers/visitors.ts'

/** Of this thread's time on a processor, in ms: whatever the machine does besides is not counted. */
const MOST = 1000
const PATIENCE = 60_000

let site: Site
beforeAll(async () => {
  site = await startSite({ environment: BEHIND_PROXY })
})
afterAll(() => site.stop())

/** The time that the site, which runs in this thread, takes for something. */
async function measure<Value>(work: () => Promise<Value>): Promise<{ value: Value; time: number }> {
  const before = process.threadCpuUsage()
  const value = await work()
  const { user, system } = process.threadCpuUsage(before)
  return { value, time: (user + system) / 1000 }
}

async function isAlive(): Promise<number> {
  return (await fetch(`${site.url}/livez`)).status
}

test.each(UNITS)(
  '32 KiB of $name in any field are answered by the rules, and hold nobody up',
  async (unit) => {
    for (const { name, way, path, headers, body, code } of createHostilePosts(unit)) {
      const { value, time } = await measure(async () => {
        const sent = fetch(site.url + path, {
          method: 'POST',
          redirect: 'manual',
          headers: { ...headers, ...createVisitor() },
          body,
        })
        const alive = isAlive()
        const answer = await sent
        const text = await answer.text()
        return { status: answer.status, body: text, alive: await alive }
      })
      const said = { name, status: value.status, code: readCode(way, value), alive: value.alive }
      const accepted = way === 'JSON' ? 200 : 303
      expect(said).toEqual({ name, status: code ? 400 : accepted, code, alive: 200 })
      expect([name, time < MOST]).toEqual([name, true])
    }
  },
  PATIENCE,
)

test.each(['/contact', '/nowhere', '/api/nowhere'])(
  'long headers at %s hold nobody up',
  async (path) => {
    for (const headers of HOSTILE_HEADERS) {
      const [[name, value] = ['', '']] = Object.entries(headers)
      const { value: answer, time } = await measure(() =>
        exchange(site, writeRequest('GET', path, headers)),
      )
      const told = [name, value.slice(0, 30)]
      expect([...told, /^HTTP\/1\.1 [234]/.test(answer), time < MOST]).toEqual([
        ...told,
        true,
        true,
      ])
    }
  },
  PATIENCE,
)

test(
  'long paths hold nobody up',
  async () => {
    for (const path of HOSTILE_PATHS) {
      const { value: answer, time } = await measure(() => exchange(site, writeRequest('GET', path)))
      const told = path.slice(0, 30)
      expect([told, /^HTTP\/1\.1 [234]/.test(answer), time < MOST]).toEqual([told, true, true])
    }
  },
  PATIENCE,
)

test(
  'long error reports hold nobody up',
  async () => {
    for (const { name, text } of UNITS) {
      for (const field of ['message', 'stack', 'path']) {
        const size = Buffer.byteLength(JSON.stringify(text)) - 2
        const body = JSON.stringify({ [field]: `/assets/a${text.repeat(8000 / size)}` })
        const { value, time } = await measure(() =>
          fetch(`${site.url}/api/client-errors`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', ...createVisitor() },
            body,
          }),
        )
        expect([name, value.status, time < MOST]).toEqual([name, 204, true])
      }
    }
  },
  PATIENCE,
)
