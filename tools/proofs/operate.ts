import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createValid } from '../harness/client.ts'
import { run } from '../harness/process.ts'
import { ROOT, read } from '../harness/project.ts'
import { claimStored, type Proof } from './proof.ts'

const INBOX = 'docker compose exec -T site node server/inbox/cli.ts'
const SETTINGS = `SITE_HOST=localhost\nCOMPOSE_PROFILES=try\nCONTACT_LIMIT=1000000
MAIL_FROM=site@example.ca\nMAIL_TO=office@example.ca\nSMTP_URL='smtp://mail:1025?tls=off'\n`

/** Finds the block of docs/operating.md that has these words, as an operator copies it. */
function findBlock(words: string): string {
  const blocks = [...read('docs/operating.md').matchAll(/^```sh\n(.*?)^```/gms)]
  const block = blocks.find(([, text = '']) => text.includes(words))?.[1]
  if (!block) throw new Error(`docs/operating.md has no block with ${words}`)
  return block
}

/** Posts ten unique messages a second until `stop`. Only an answer 200 acknowledges a message. */
function startLoad() {
  const acknowledged = new Map<string, string>()
  const posts: Promise<void>[] = []
  let refused = 0
  let longestMs = 0
  async function post(): Promise<void> {
    const began = Date.now()
    const message = `A message that must stay, ${randomBytes(8).toString('hex')}`
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify(createValid({ message }))
    const answer = await fetch('https://localhost/api/contact', { method: 'POST', headers, body })
      .then(async (response) => response.ok && ((await response.json()) as { reference: string }))
      .catch(() => false as const)
    if (!answer) refused += 1
    else acknowledged.set(message, answer.reference)
    longestMs = Math.max(longestMs, answer ? Date.now() - began : 0)
  }
  const timer = setInterval(() => posts.push(post()), 100)
  return {
    acknowledged,
    /** Says what visitors met since the last call. */
    describe() {
      const text = `longest wait ${(longestMs / 1000).toFixed(1)} s, without a 200: ${refused}`
      refused = longestMs = 0
      return text
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(posts)
    },
  }
}

/** Plays the commands of docs/operating.md in a real engine under load. Uses ports 80 and 443 and the project rg-website. */
export const prove: Proof = async ({ report }) => {
  // Caddy signs the certificate of localhost itself.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const volumes = await run('docker', ['volume', 'ls', '--quiet', '--filter', 'name=rg-website_'])
  const isFree = volumes.status === 0 && volumes.stdout === ''
  report.claim('Docker is here, without volumes of a site', isFree)
  if (!isFree) return
  const folder = mkdtempSync(join(tmpdir(), 'operate-'))
  const host = join(folder, 'host')
  const maker = join(folder, 'maker')
  async function sh(cwd: string, command: string): Promise<string> {
    const { status, stdout, stderr } = await run('bash', ['-ec', `cd '${cwd}'; ${command}`])
    if (status !== 0) throw new Error(`${command}:\n${stderr}`)
    return stdout.trim()
  }
  await sh(
    folder,
    `git clone -q --bare '${ROOT}' origin && git -C origin branch -qf main && git clone -qb main origin maker && git clone -qb main origin host
    cd maker && git config user.name a && git config user.email a@example.ca`,
  )
  /** Changes a file by `sed`, and pushes that as the newest build. */
  const push = (file: string, change: string) =>
    sh(maker, `sed -i '${change}' ${file} && git commit -qam 'Change ${file}' && git push -q`)
  const revert = () => sh(maker, 'git revert --no-edit HEAD && git push -q')
  const addTable = (name: string) =>
    push(
      'server/inbox/schema.ts',
      `0,/^  \\]$/s//    \`CREATE TABLE ${name} (id INTEGER)\`,\\n  ]/`,
    )
  if (process.env.NODE_IMAGE) {
    await push('Dockerfile', `s|^ARG NODE_IMAGE=.*|ARG NODE_IMAGE=${process.env.NODE_IMAGE}|`)
    await sh(host, 'git pull -q')
  }
  writeFileSync(join(host, '.env'), SETTINGS)

  let load: ReturnType<typeof startLoad> | undefined
  /** Runs a block, and claims that it succeeds or fails as expected. */
  async function play(name: string, block: string, succeeds = true): Promise<string> {
    const began = Date.now()
    const { status, stdout, stderr } = await run('bash', ['-c', `cd '${host}'; ${block}`])
    const seconds = Math.round((Date.now() - began) / 1000)
    await wait(2000)
    report.claim(
      `${name}: exit ${status}, ${seconds} s; ${load?.describe() ?? ''}`,
      (status === 0) === succeeds,
    )
    if ((status === 0) !== succeeds) report.note((stdout + stderr).slice(-3000))
    return stdout
  }
  const up = findBlock('docker compose up --build --detach')
  const update = findBlock('git pull --ff-only')
  const goBack = findBlock('git reset --keep')
  const moveBack = findBlock('messages.jsonl')

  await play('a wrong setting', `echo MAIL_TO=nobody >>.env; ${up}`, false)
  writeFileSync(join(host, '.env'), SETTINGS)
  await play('install', up)
  load = startLoad()
  await play('test mail', findBlock('send.ts'))
  await play('backup', findBlock('cli.ts backup'))
  await play('a copy of the backups', findBlock('docker compose cp'))
  const [erased = ''] = load.acknowledged.keys()
  await play('erase', `${INBOX} erase ${load.acknowledged.get(erased)}`)
  load.acknowledged.delete(erased)
  await push('README.md', '1s/$/ 1/')
  await play('update', update)
  await push('server/main.ts', '1i throw new Error()')
  await play('an update that does not start', update, false)
  await play('go back', goBack)
  await revert()
  await addTable('later')
  await play('an update with newer tables', update)
  await play('go back, which the older build refuses', goBack, false)
  await play('move the messages back', moveBack)
  await play('restore', findBlock('cli.ts restore'))
  await play('move to PostgreSQL', findBlock('COMPOSE_FILE='))
  await play('an update of two sites', update)
  await play('a dump', findBlock('pg_dump'))
  await play('the dump restored', findBlock('pg_restore'))
  await load.stop()

  const exported = await sh(host, `${INBOX} export --format jsonl`)
  const stored = claimStored(exported, load.acknowledged, report)
  report.claim('an erased message stays erased', !stored.has(erased))
  await sh(host, 'docker compose --profile try down --volumes')
  rmSync(folder, { recursive: true, force: true })
}
