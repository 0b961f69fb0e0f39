import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createValid } from '../harness/client.ts'
import { run } from '../harness/process.ts'
import { ROOT } from '../harness/project.ts'
import { startSmtp } from '../harness/smtp.ts'
import type { Proof, ProofOptions, StoreKind } from './proof.ts'

/** NODE_IMAGE: another base image. NEW_POSTGRES: the version to move to, whose image must be there. */
const { NODE_IMAGE, NEW_POSTGRES = '19.1' } = process.env
const SITE = 'https://localhost'
async function sh(cwd: string, command: string): Promise<string> {
  const { status, stdout, stderr } = await run('sh', ['-ec', `cd '${cwd}'; ${command}`])
  if (status !== 0) throw new Error(`${command}:\n${stderr}`)
  return stdout.trim()
}

/** Posts unique messages until `stop`. Only what was answered with 200 counts as acknowledged. */
function startLoad() {
  const acknowledged = new Map<string, string>()
  let isStopped = false
  let failed = 0
  async function post(visitor: number): Promise<void> {
    for (let n = 1; !isStopped; n += 1) {
      const message = `Message ${n} of visitor ${visitor}, ${randomBytes(6).toString('hex')}`
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify(createValid({ message }))
      const answer = await fetch(`${SITE}/api/contact`, { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      if (answer?.status === 200)
        acknowledged.set(message, ((await answer.json()) as { reference: string }).reference)
      else failed += 1
      await answer?.body?.cancel().catch(() => undefined)
      await wait(500)
    }
  }
  const posting = Promise.all([1, 2].map(post))
  return {
    acknowledged,
    failed: () => failed,
    stop: () => {
      isStopped = true
      return posting
    },
  }
}

/** A checkout that is operated, and the origin that its updates come from. */
async function createCheckout(folder: string) {
  const maker = join(folder, 'maker')
  const host = join(folder, 'host')
  await sh(
    folder,
    `git clone -q --bare '${ROOT}' origin && git clone -q origin maker && cd maker && git switch -qC main && git config user.name a && git config user.email a@example.ca`,
  )
  /** Changes a file by `sed` or adds a line to it, and pushes that as the newest build. */
  async function push(file: string, change: string): Promise<string> {
    await sh(
      maker,
      `sed -i '${change}' ${file} && git commit -qam 'Change ${file}' && git push -qf origin HEAD:main`,
    )
    return sh(maker, 'git rev-parse --short=8 HEAD')
  }
  if (NODE_IMAGE) await push('Dockerfile', `s|^ARG NODE_IMAGE=.*|ARG NODE_IMAGE=${NODE_IMAGE}|`)
  else await push('README.md', '$a\\\\n')
  await sh(folder, 'git clone -qb main origin host')
  return {
    host,
    maker,
    push,
    revert: () =>
      sh(
        maker,
        'git revert --no-edit HEAD && git push -q origin HEAD:main && git rev-parse --short=8 HEAD',
      ),
  }
}

async function playSetUp(
  kind: StoreKind,
  report: ProofOptions['report'],
  folder: string,
): Promise<void> {
  const { host, push, revert } = await createCheckout(folder)
  const smtp = await startSmtp()
  const gateway = await sh(
    folder,
    `docker network inspect bridge -f '{{range .IPAM.Config}}{{println .Gateway}}{{end}}' | grep -m 1 '[.]'`,
  )
  // The containers reach this machine by the address of Docker's bridge.
  const door = createServer((socket) => {
    const inner = connect(smtp.port, '127.0.0.1')
    for (const each of [socket, inner]) each.on('error', () => undefined)
    socket.pipe(inner).pipe(socket)
  })
  await new Promise<void>((resolve) => door.listen(0, gateway, resolve))
  const mailPort = (door.address() as { port: number }).port
  const variables: NodeJS.ProcessEnv = {
    STORE: kind,
    SITE_HOST: 'localhost',
    MAIL_FROM: 'site@example.ca',
    MAIL_TO: 'office@example.ca',
  }
  let commands = 0
  let place = host

  /** Runs deploy/site, and claims its exit status and a part of its output. */
  async function act(
    words: string,
    status: number,
    part: string | RegExp = '',
    environment = {},
  ): Promise<string> {
    commands += 1
    const began = Date.now()
    const result = await run(
      'sh',
      ['-c', `cd '${place}' && exec sh deploy/site ${words} </dev/null`],
      environment,
    )
    const text = result.stdout + result.stderr
    const holds =
      result.status === status && (part instanceof RegExp ? part.test(text) : text.includes(part))
    report.claim(
      `${words}: exit ${result.status}, ${Math.round((Date.now() - began) / 1000)} s`,
      holds,
    )
    if (!holds) report.note(text.slice(-3000))
    return text
  }
  const set = (name: string, value: string) =>
    sh(place, `sed -i '/^${name}=/d' .env && echo "${name}=${value}" >> .env`)
  const containers = () => sh(place, 'docker compose ps -q --no-trunc | sort')
  /** Claims that the act changes no container. */
  async function refuse(words: string, part: string | RegExp): Promise<void> {
    const before = await containers()
    await act(words, 1, part)
    report.claim('… and no container was replaced', before === (await containers()))
  }
  /** Kills deploy/site and its children once its output has this text, then calls it again. */
  async function killAndRepeat(words: string, at: string): Promise<void> {
    const child = spawn('sh', ['-c', `exec sh deploy/site ${words} 2>&1 </dev/null`], {
      cwd: place,
      detached: true,
    })
    let text = ''
    for await (const chunk of child.stdout) {
      text += chunk
      if (text.includes(at)) break
    }
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    report.claim(`${words}: killed at “${at}”`, text.includes(at))
    await refuse('rollback HEAD --yes', 'did not end')
    await act(words, 0, 'Done')
  }
  const newest = async () =>
    (await sh(place, 'sh deploy/site backups')).match(/manual-[\d-]+\.\w+/g)?.at(-1) ?? ''
  async function readStore() {
    const text = await sh(place, 'sh deploy/site inbox export --format jsonl')
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { reference: string; message: string })
  }

  report.note(`${kind}: install`)
  await act('install --yes', 1, /SMTP_URL.*smtps:/s, { ...variables, SMTP_URL: 'ftp://mail' })
  report.claim('a wrong answer starts nothing', (await containers()) === '')
  await set('SMTP_URL', `smtp://${gateway}:${mailPort}?tls=off`)
  for (const name of ['CONTACT_LIMIT', 'MAIL_PER_HOUR']) await set(name, '1000000')
  await set('RESTIC_REPOSITORY', join(folder, 'copy'))
  await act('install --yes', 0, 'Done', variables)
  const load = startLoad()

  report.note(`${kind}: settings, backup, restore`)
  await set('RETENTION_DAYS', '365')
  await act('settings --yes', 0, 'Done')
  await act('check-mail', 0, 'mailed')
  await act('backup', 0, 'backup done')
  await act('backups', 0, 'manual-')
  await act('try-restore', 0, 'Messages verified')
  const file = await newest()
  await wait(1000)
  const [first] = await readStore()
  await act(`inbox erase ${first?.reference}`, 0, 'erased')
  const backups =
    kind === 'postgres'
      ? join(host, 'backups')
      : await sh(place, `docker volume inspect -f '{{.Mountpoint}}' rg-website_backups`)
  const damaged = file.replace(/\d{4}-/, '2026-')
  await sh(
    place,
    `head -c 5000 '${backups}/${file}' > '${backups}/damaged' && cp -p '${backups}/${file}' '${backups}/whole' && cat '${backups}/damaged' > '${backups}/${damaged}'`,
  )
  await refuse(`restore ${damaged} --yes`, 'damaged')
  await sh(
    place,
    `cat '${backups}/whole' > '${backups}/${file}' && rm '${backups}/damaged' '${backups}/whole'`,
  )
  await act(`restore ${file} --yes`, 0, 'The old store stays')
  await killAndRepeat(`restore ${file} --yes`, 'exports the messages')
  report.claim(
    'what was erased stays erased',
    !(await readStore()).some(({ reference }) => reference === first?.reference),
  )
  load.acknowledged.delete(first?.message ?? '')

  report.note(`${kind}: update and rollback`)
  const before = await sh(place, 'git rev-parse --short=8 HEAD')
  const good = await push('README.md', '1s/$/ 1/')
  await killAndRepeat('update --yes', 'compose up')
  await act(`rollback ${before} --yes`, 0, 'Done')
  await act('update --yes', 0, `Done: ${good}`)
  await push('Dockerfile', 's|/readyz|/none|')
  await act('update --yes', 1, `${good} runs again`)
  await revert()
  const changed = await push(
    'server/inbox/schema.ts',
    's/^    `,$/    `,\\n    `CREATE TABLE later (id INTEGER PRIMARY KEY);`,/',
  )
  await act('update --yes', 0, `Done: ${changed}`)
  await act(`rollback ${good} --yes`, 0, `Done: ${good}`)
  await killAndRepeat('update --yes', 'a backup')
  if (kind === 'postgres') {
    report.note('postgres: password, major version, archive')
    await act('new-password --yes', 0, 'Done')
    await act(`new-postgres ${NEW_POSTGRES} --yes`, 0, 'Done')
    mkdirSync(join(folder, 'archive'))
    await act(`archive start '${folder}/archive' --yes`, 0, 'Done')
    for (
      let tries = 0;
      tries < 60 && !(await sh(folder, 'ls archive')).includes('base-');
      tries += 1
    )
      await wait(3000)
    await act('archive restore --yes', 0, 'Done')
  }
  await act('logs 1h warnings', 0)
  await act('status', 0, 'last backup')

  report.note(`${kind}: night, and the loss of the machine`)
  await load.stop()
  await act('nightly', 0)
  await set('RESTIC_REPOSITORY', join(folder, 'file-that-is-no-folder/x'))
  writeFileSync(join(folder, 'file-that-is-no-folder'), '')
  const mails = smtp.mails.length
  await act('nightly', 1)
  const alarm = smtp.mails.slice(mails).find(({ email }) => email.subject?.includes('needs you'))
  report.claim(
    'a copy that fails is mailed',
    Boolean(alarm?.email.text?.includes('copy of the backups failed')),
  )
  const messages = await readStore()
  const password = /^RESTIC_PASSWORD=(.*)$/m.exec(readFileSync(join(host, '.env'), 'utf8'))?.[1]
  await act('backup', 0)
  await set('RESTIC_REPOSITORY', join(folder, 'copy'))
  await act('nightly', 0)
  const last = await newest()
  await sh(host, 'docker compose down --volumes')
  await sh(folder, 'git clone -qb main origin machine-2')
  place = join(folder, 'machine-2')
  await act('install --yes', 0, 'Done', {
    RESTIC_REPOSITORY: join(folder, 'copy'),
    RESTIC_PASSWORD: password,
  })
  await act(`restore ${last} --yes`, 0, 'The old store stays')

  const kept = await readStore()
  const byReference = new Map(kept.map(({ message, reference }) => [message, reference]))
  const lost = [...load.acknowledged].filter(
    ([message, reference]) => byReference.get(message) !== reference,
  )
  report.note(
    `${load.acknowledged.size} posts answered 200, ${load.failed()} not; ${kept.length} kept; ${commands} commands`,
  )
  report.claim(`none lost: ${lost.length}`, lost.length === 0 && load.acknowledged.size > 0)
  report.claim(`none twice: ${kept.length - byReference.size}`, kept.length === byReference.size)
  report.claim(
    'the lost machine’s messages are all on the new one',
    kept.length === messages.length,
  )
  const ids = smtp.mails.map(({ headers }) => headers['Message-ID'])
  report.note(`${ids.length} mails, of these again: ${ids.length - new Set(ids).size}`)
  await sh(place, 'docker compose down --volumes')
  door.close()
  await smtp.stop()
}

/** Plays every verb of deploy/site in a real engine, under load. It uses ports 80 and 443 and the project rg-website. */
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
