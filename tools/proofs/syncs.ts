import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAddress, post } from './client.ts'
import type { Proof } from './main.ts'
import { type Site, startSite } from './site.ts'
import { withStores } from './stores.ts'

const POSTS = 200
const CLIENTS = 32

/** How often a process, with its threads, has something written to the disk while work goes on. */
async function countSyncs(site: Site, work: () => Promise<void>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'prove-syncs-'))
  const file = join(folder, 'trace')
  const target = ['-p', String(site.child.pid)]
  const args = ['-f', '-e', 'trace=fsync,fdatasync', '-o', file, ...target]
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  await once(strace.stderr, 'data')
  await work()
  const ended = once(strace, 'exit')
  strace.kill('SIGINT')
  await ended
  const calls = readFileSync(file, 'utf8').match(/(fsync|fdatasync)\(/g) ?? []
  rmSync(folder, { recursive: true })
  return calls.length
}

/** The disk is told to keep what is answered: kill -9 proves the process only, not the disk. */
export const prove: Proof = ({ report, count: posts = POSTS }) =>
  withStores(['sqlite'], async (_, stores) => {
    const site = await startSite(await stores.create())
    let texts = 0
    const postOne = async () => {
      const { status } = await post(
        site.url,
        { message: `Message number ${++texts}` },
        createAddress(),
      )
      if (status !== 200) throw new Error(`A post was answered ${status}`)
    }
    await postOne()
    const alone = await countSyncs(site, async () => {
      for (let count = 0; count < posts; count++) await postOne()
    })
    report.claim(`${posts} posts one after the other: ${alone} syncs`, alone >= posts)
    const together = await countSyncs(site, async () => {
      for (let count = 0; count < posts; count += CLIENTS) {
        await Promise.all(Array.from({ length: CLIENTS }, postOne))
      }
    })
    const rounds = Math.ceil(posts / CLIENTS)
    const told = `${rounds * CLIENTS} posts, ${CLIENTS} at once: ${together} syncs`
    report.claim(told, together >= rounds)
    await site.end()
  })
