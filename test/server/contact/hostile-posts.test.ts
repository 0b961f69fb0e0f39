import {
  createHostileHeaders,
  createHostilePosts,
  HOSTILE_PATHS,
  readCode,
  UNITS,
} from '../../../tools/harness/hostile-texts.ts'
import { exchange, writeRequest } from '../../../tools/harness/raw-client.ts'
import { type Site, startSite } from '../../support/site.ts'
import { BEHIND_PROXY, createVisitor } from '../../support/visitors.ts'

/** CPU time of this thread alone: other work of the machine does not count. */
const MOST_CPU_MS = 1000

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
      expect([name, time < MOST_CPU_MS]).toEqual([name, true])
    }
  },
)

test('long headers, paths and queries hold nobody up', async () => {
  for (const request of [...createHostileHeaders(createVisitor), ...HOSTILE_PATHS]) {
    const { name, method, path, headers, body } = request
    const { value, time } = await measure(() =>
      exchange(site, writeRequest(method, path, headers, body)),
    )
    expect([name, /^HTTP\/1\.1 [1-4]/.test(value), time < MOST_CPU_MS]).toEqual([name, true, true])
  }
})

test('long error reports hold nobody up', async () => {
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
      expect([name, value.status, time < MOST_CPU_MS]).toEqual([name, 204, true])
    }
  }
})
