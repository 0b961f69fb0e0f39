import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createValid } from '../harness/client.ts'
import { run } from '../harness/process.ts'
import { ROOT } from '../harness/project.ts'
import type { Proof, ProofOptions, StoreKind } from './proof.ts'

const SITE = 'https://localhost'

async function sh(cwd: string, command: string): Promise<string> {
  const { status, stdout, stderr } = await run('sh', ['-ec', `cd '${cwd}'; ${command}`])
  if (status !== 0) throw new Error(`${command}:\n${stderr}`)
  return stdout.trim()
}

/** Posts unique messages until `stop`. Only an answer 200 acknowledges a message. */
function startLoad() {
  const acknowledged = new Map<string, string>()
  const stopping = new AbortController()
  async function post(): Promise<void> {
    while (!stopping.signal.aborted) {
      const message = `A message that must stay, ${randomBytes(8).toString('hex')}`
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify(createValid({ message }))
      const answer = await fetch(`${SITE}/api/contact`, { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      if (answer?.status === 200) {
        acknowledged.set(message, ((await answer.json()) as { reference: string }).reference)
      }
      await wait(500)
    }
  }
  const posting = Promise.all([post(), post()])
  function stop() {
    stopping.abort()
    return posting
  }
  return { acknowledged, stop }
}

async function playSetUp(kind: StoreKind, report: ProofOptions['report'], folder: string) {
  const host = join(folder, 'host')
  const maker = join(folder, 'maker')
  await sh(
    folder,
    `git clone -q --bare '${ROOT}' origin && git -C origin branch -qf main && git clone -qb main origin maker && git clone -qb main origin host
    cd maker && git config user.name a && git config user.email a@example.ca`,
  )
  /** Changes a file by `sed`, and pushes that as the newest build. */
  async function push(file: string, change: string): Promise<string> {
    await sh(maker, `sed -i '${change}' ${file} && git commit -qam 'Change ${file}' && git push -q`)
    return sh(maker, 'git rev-parse --short=8 HEAD')
  }
  if (process.env.NODE_IMAGE) {
    await push('Dockerfile', `s|^ARG NODE_IMAGE=.*|ARG NODE_IMAGE=${process.env.NODE_IMAGE}|`)
    await sh(host, 'git pull -q')
  }
  /** Runs deploy/site, and claims its exit status and a part of its output. */
  async function act(words: string, expected: number, part = ''): Promise<void> {
    const began = Date.now()
    const command = `cd '${host}' && exec deploy/site ${words} </dev/null`
    const { status, stdout, stderr } = await run('sh', ['-c', command])
    const holds = status === expected && (stdout + stderr).includes(part)
    report.claim(`${words}: exit ${status}, ${Math.round((Date.now() - began) / 1000)} s`, holds)
    if (!holds) report.note((stdout + stderr).slice(-3000))
  }
  /** Kills deploy/site and its children once its output has this text, then calls it again. */
  async function killAndRepeat(words: string, at: string): Promise<void> {
    const command = `exec deploy/site ${words} 2>&1 </dev/null`
    const child = spawn('sh', ['-c', command], { cwd: host, detached: true })
    let text = ''
    for await (const chunk of child.stdout) {
      text += chunk
      if (text.includes(at)) break
    }
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    report.claim(`${words}: killed at “${at}”`, text.includes(at))
    await act(words, 0)
  }
  const readStore = async (): Promise<{ reference: string; message: string }[]> =>
    (await sh(host, 'deploy/site inbox export --format jsonl'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const findBackup = async () =>
    (await sh(host, 'deploy/site backup')).match(/manual-[\d-]+\.\w+/g)?.at(-1) ?? ''

  report.note(kind)
  await act('install', 1, 'Fill in .env')
  const mailbox = 'MAIL_FROM=site@example.ca\nMAIL_TO=office@example.ca\n'
  const settings = `COMPOSE_FILE=${kind === 'sqlite' ? 'compose.yaml' : 'compose.postgres.yaml'}
DATABASE_PASSWORD=${randomBytes(8).toString('hex')}\nSITE_HOST=localhost\nCOMPOSE_PROFILES=try\nCONTACT_LIMIT=1000000\n${mailbox}`
  writeFileSync(join(host, '.env'), `${settings}SMTP_URL=ftp://mail\n`)
  await act('install --yes', 1, 'SMTP_URL')
  writeFileSync(join(host, '.env'), `${settings}SMTP_URL='smtp://mail:1025?tls=off'\n`)
  await act('install --yes', 0, 'nightly')
  await sh(host, kind === 'sqlite' ? 'docker compose up -d --no-deps mail' : ':')
  const load = startLoad()

  await act('settings --yes', 0)
  await act('check-mail', kind === 'sqlite' ? 0 : 1)
  const backup = await findBackup()
  await wait(2000)
  const [erased] = await readStore()
  await act(`inbox erase ${erased?.reference}`, 0)
  await act(`restore ${backup} --yes`, 0)
  await killAndRepeat(`restore ${backup} --yes`, '+ adds these messages')
  const isBack = (await readStore()).some(({ reference }) => reference === erased?.reference)
  report.claim('an erased message stays erased', !isBack)
  load.acknowledged.delete(erased?.message ?? '')

  const first = await sh(host, 'git rev-parse --short=8 HEAD')
  const good = await push('README.md', '1s/$/ 1/')
  await killAndRepeat('update --yes', 'compose up')
  await act(`rollback ${first} --yes`, 0)
  await act('update --yes', 0, `Done: ${good}`)
  await push('Dockerfile', 's|/readyz|/none|')
  await act('update --yes', 1, `${good} runs again`)
  await sh(maker, 'git revert --no-edit HEAD && git push -q')
  /** Appends a migration. */
  const migrate = (sql: string) =>
    push('server/inbox/schema.ts', `0,/^  \\]$/s//    \`${sql}\`,\\n  ]/`)
  await migrate('INSERT INTO nowhere VALUES (1)')
  await act('update --yes', 1, `${good} runs again`)
  await sh(maker, 'git revert --no-edit HEAD && git push -q')
  await migrate('CREATE TABLE later (id INTEGER PRIMARY KEY)')
  await act('update --yes', 0)
  await act(`rollback ${good} --yes`, 0)
  await act('logs 1h warnings', 0)
  await act('status', 0, 'certificate')
  await load.stop()

  const kept = await readStore()
  const references = new Map(kept.map(({ message, reference }) => [message, reference]))
  const lost = [...load.acknowledged].filter(
    ([text, reference]) => references.get(text) !== reference,
  )
  report.note(`${load.acknowledged.size} posts answered 200, ${kept.length} kept`)
  report.claim(`none lost: ${lost.length}`, lost.length === 0 && load.acknowledged.size > 0)
  report.claim(`none twice: ${kept.length - references.size}`, kept.length === references.size)
  await sh(host, 'docker compose --profile try down --volumes')
}

/** Plays the verbs of deploy/site in a real engine, under load. Uses ports 80 and 443 and the project rg-website. */
export const prove: Proof = async ({ stores = ['sqlite', 'postgres'], report }) => {
  // Caddy signs the certificate of localhost itself.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const { status } = await run('docker', ['compose', 'version'])
  report.claim('Docker with Compose is here', status === 0)
  if (status !== 0) return
  for (const kind of stores as StoreKind[]) {
    const folder = mkdtempSync(join(tmpdir(), 'operate-'))
    await playSetUp(kind, report, folder)
    rmSync(folder, { recursive: true, force: true })
  }
}
