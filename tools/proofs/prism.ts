import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { findFreePort } from '../../server/connection/listen.ts'
import { createAddress, createPost, type Outgoing, send } from '../harness/client.ts'
import { endProcess, startNode } from '../harness/process.ts'
import { providePackage } from '../harness/provide-package.ts'
import { until } from '../harness/raw-client.ts'
import { fields } from './fuzz/inputs.ts'
import { type Proof, startSite, withStores } from './proof.ts'

const VERSION = '5.14.2'
const BODIES = 300
type Violation = { location: string[]; message: string }

function createRequests(seed: number, count: number): Outgoing[] {
  const limited = createAddress()
  return [
    ...[1, 2, 3].map((n) => createPost({ message: `Message number ${n}.` }, limited)),
    // Send only valid JSON, because Prism does not answer a body that it cannot parse.
    ...fc.sample(fields, { seed, numRuns: count }).map((change) => createPost(change)),
  ]
}

/** Prism, as a proxy in front of the site, finds no answer that violates the OpenAPI document. */
export const prove: Proof = ({ random, report, count = BODIES }) =>
  withStores(['sqlite'], async (_kind, createStore) => {
    const folder = await providePackage('@stoplight/prism-cli', VERSION)
    const site = await startSite(await createStore(), { environment: { CONTACT_LIMIT: '2' } })
    const document = join(folder, 'openapi.json')
    writeFileSync(document, (await send(site.url, { path: '/api/openapi.json' })).body)
    const port = `${await findFreePort('127.0.0.1')}`
    const url = `http://127.0.0.1:${port}`
    const args = [join(folder, 'dist/index.js'), 'proxy', document, site.url, '-p', port]
    const prism = startNode(args, { stdio: 'ignore' })
    await until(() => send(url, { path: '/livez' }).then(Boolean, () => false))
    const statuses = new Map<number, number>()
    for (const request of createRequests(Math.floor(random() * 2 ** 31), count)) {
      const { status, headers } = await send(url, request)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const violations = JSON.parse(String(headers['sl-violations'] ?? '[]'))
      const [first] = violations.filter((each: Violation) => each.location[0] === 'response')
      if (first) report.claim(`${request.path}: ${status}: ${first.message}`, false)
    }
    await Promise.all([endProcess(prism), site.stop('SIGKILL')])
    const counts = [...statuses].map(([status, times]) => `${times} answers ${status}`)
    report.claim(`Prism judged ${counts.join(', ')}`, statuses.has(200) && statuses.has(429))
  })
