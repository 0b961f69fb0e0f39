import {
  createHostileHeaders,
  createHostilePosts,
  HOSTILE_PATHS,
  readCode,
  UNITS,
} from '../../../tools/harness/hostile-texts.ts'
import { exchange, writeRequest } from '../../../tools/harness/raw-client.ts'
import { createVisitor, get, setUpSite, site } from '../setup.ts'

/** CPU time of this thread alone: other work of the machine does not count. */
const MAX_CPU_MS = 1000

setUpSite()

/** CPU time of the site, which runs in this thread. */
async function measure<Value>(work: () => Promise<Value>): Promise<{ value: Value; time: number }> {
  const before = process.threadCpuUsage()
  const value = await work()
  const { user, system } = process.threadCpuUsage(before)
  return { value, time: (user + system) / 1000 }
}

test.each(UNITS)(
  '32 KiB of $name in any field are answered by the rules, and block nobody',
  async (unit) => {
    for (const { name, way, path, headers, body, code } of createHostilePosts(unit)) {
      const { value, time } = await measure(async () => {
        const sent = fetch(site.url + path, {
          method: 'POST',
          redirect: 'manual',
          headers: { ...headers, ...createVisitor() },
          body,
        })
        const alive = get('/livez')
        const answer = await sent
        const text = await answer.text()
        return { status: answer.status, body: text, alive: (await alive).status }
      })
      const result = { name, status: value.status, code: readCode(way, value), alive: value.alive }
      const accepted = way === 'JSON' ? 200 : 303
      expect(result).toEqual({ name, status: code ? 400 : accepted, code, alive: 200 })
      expect([name, time < MAX_CPU_MS]).toEqual([name, true])
    }
  },
)

test('long headers, paths and queries block nobody', async () => {
  for (const request of [...createHostileHeaders(createVisitor), ...HOSTILE_PATHS]) {
    const { name, method, path, headers, body } = request
    const { value, time } = await measure(() =>
      exchange(site, writeRequest(method, path, headers, body)),
    )
    expect([name, /^HTTP\/1\.1 [1-4]/.test(value), time < MAX_CPU_MS]).toEqual([name, true, true])
  }
})
