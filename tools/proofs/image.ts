import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../server/connection/listen.ts'
import { postMessage } from '../harness/client.ts'
import { run } from '../harness/process.ts'
import { until } from '../harness/raw-client.ts'
import type { Proof, ProofParts } from './proof.ts'
import { checkSite } from './smoke.ts'

const ROOT = join(import.meta.dirname, '../..')
const { CONTAINER_ENGINE, NODE_IMAGE } = process.env
/** Docker, or programs with the same commands. */
const ENGINES = CONTAINER_ENGINE ? [CONTAINER_ENGINE] : ['docker', 'podman']
const IMAGE = 'localhost/rg-website:proof'
const INBOX = ['node', 'server/inbox/cli.ts']
const MESSAGE = 'Ce message survit au conteneur.'
const READY_TIMEOUT_MS = 10_000

function createEngine(name: string) {
  const start = (...args: string[]) => run(name, args)
  return {
    name,
    isPodman: name.endsWith('podman'),
    start,
    async call(...args: string[]): Promise<string> {
      const { status, stdout, stderr } = await start(...args)
      if (status !== 0) throw new Error(`${name} ${args.join(' ')}:\n${stderr.slice(-2000)}`)
      return stdout.trim()
    },
  }
}

type Engine = ReturnType<typeof createEngine>

/** Resolves to undefined if the engine built the image, else to the end of its error output. */
async function build({ start, isPodman }: Engine): Promise<string | undefined> {
  const { stdout } = await run('git', ['-C', ROOT, 'rev-parse', 'HEAD'])
  const settings = [`REVISION=${stdout.trim() || 'unknown'}`]
  if (NODE_IMAGE) settings.push(`NODE_IMAGE=${NODE_IMAGE}`)
  const args = settings.flatMap((setting) => ['--build-arg', setting])
  // Podman's own image format has no health check.
  const format = isPodman ? ['--format', 'docker'] : []
  const { status, stderr } = await start('build', ...format, '-t', IMAGE, ...args, ROOT)
  return status === 0 ? undefined : stderr.trim().split('\n').slice(-3).join('\n  ')
}

async function findEngine(report: ProofParts['report']): Promise<Engine | undefined> {
  for (const engine of ENGINES.map(createEngine)) {
    const { status } = await engine.start('info')
    const error = status === 0 ? await build(engine) : 'does not answer'
    if (error === undefined) return engine
    report.note(`${engine.name} does not build the image: ${error}`)
  }
  return undefined
}

/** Checks the settings of the image; resolves to the command of its health check. */
async function claimSettings({ call }: Engine, report: ProofParts['report']): Promise<string[]> {
  const [facts] = JSON.parse(await call('image', 'inspect', IMAGE))
  const { User: user, Volumes, Cmd: command, Labels: labels } = facts.Config
  const [, ...healthCheck] = (facts.Healthcheck ?? facts.Config.Healthcheck).Test
  report.note(`${(facts.Size / 1e6).toFixed(1)} MB with the base image`)
  const names = ['title', 'description', 'licenses', 'version', 'revision']
  const present = names.filter((name) => labels[`org.opencontainers.image.${name}`])
  report.claim(`labels: ${present.join(', ')}`, present.length === names.length)
  report.claim(`user ${user}`, /^[1-9]\d*:\d+$/.test(user))
  const volumes = Object.keys(Volumes ?? {}).join()
  report.claim(`volumes ${volumes}`, volumes === '/data')
  report.claim(`started without a shell: ${command.join(' ')}`, command[0] === 'node')
  report.claim('a health check without a shell', healthCheck[0] === 'node')
  return healthCheck
}

/** Starts a container with the restrictions of production (read-only root, no capabilities) and one volume. */
async function startContainer({ call, start, isPodman }: Engine, volume: string) {
  const port = await findFreePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  // By default, Podman mounts writable folders even into a read-only container.
  const root = ['--read-only', ...(isPodman ? ['--read-only-tmpfs=false'] : [])]
  const safe = [...root, '--cap-drop=ALL', '--security-opt=no-new-privileges']
  const place = ['-v', `${volume}:/data`, '-p', `127.0.0.1:${port}:${port}`]
  const address = ['-e', `PORT=${port}`, '-e', 'PUBLIC_URL=https://www.example.ca']
  const variables = [...address, '-e', 'NODE_DEBUG_NATIVE=COMPILE_CACHE']
  const id = await call('run', '-d', ...safe, ...place, ...variables, IMAGE)
  async function readLog(): Promise<string> {
    const { stdout, stderr } = await start('logs', id)
    return stdout + stderr
  }
  const isOk = ({ ok }: Response) => ok
  const isReady = () => fetch(`${url}/readyz`).then(isOk, () => wait(100, false))
  await until(isReady, READY_TIMEOUT_MS).catch(async (error) => {
    const log = await readLog()
    await start('rm', '-f', id)
    throw new Error(`${error.message}:\n${log}`)
  })
  return {
    url,
    readLog,
    exec: (...command: string[]) => start('exec', id, ...command),
    terminate: () => call('kill', '--signal=TERM', id),
    /** Waits until the container has stopped and removes it; resolves to the exit code. */
    async remove() {
      const status = Number(await call('wait', id))
      await call('rm', id)
      return status
    },
  }
}

type Container = Awaited<ReturnType<typeof startContainer>>

const FIND_TOOLS = `
  const { readdirSync } = require('node:fs');
  const tools = ['npm', 'npx', 'corepack', 'yarn', 'yarnpkg', 'pnpm'];
  ['/usr', '/opt', '/site', '/home', '/root'].flatMap((folder) => {
    try { return readdirSync(folder, { recursive: true }).map((name) => folder + '/' + name) }
    catch { return [] }
  }).filter((path) => tools.includes(path.split('/').pop())).join()`

const FIND_WRITABLE = `
  const { writeFileSync, rmSync } = require('node:fs');
  ['/', '/site', '/site/server', '/tmp', '/var/tmp', '/etc', '/home', '/run', '/data'].filter((folder) => {
    try { writeFileSync(folder + '/proof', ''); rmSync(folder + '/proof'); return true }
    catch { return false }
  }).join()`

const READ_PROCESS = `
  const text = require('node:fs').readFileSync('/proc/1/status', 'utf8');
  ['Uid', 'CapEff', 'NoNewPrivs'].map((name) => new RegExp(name + ':\\\\s*(\\\\w+)').exec(text)[1]).join()`

async function claimConfinement(container: Container, report: ProofParts['report']): Promise<void> {
  async function evaluate(script: string): Promise<string> {
    const { status, stdout, stderr } = await container.exec('node', '-p', script)
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const tools = await evaluate(FIND_TOOLS)
  report.claim(`no package manager in the image${tools && `: ${tools}`}`, tools === '')
  const [uid, capabilities, noNewPrivileges] = (await evaluate(READ_PROCESS)).split(',')
  report.claim(`runs as user ${uid}`, Number(uid) > 0)
  report.claim(`capabilities: ${capabilities}`, Number.parseInt(capabilities ?? '1', 16) === 0)
  report.claim('gains no privileges', noNewPrivileges === '1')
  const writable = await evaluate(FIND_WRITABLE)
  report.claim(`writable: ${writable}`, writable === '/data')
}

async function claimCompiled({ readLog }: Container, report: ProofParts['report']): Promise<void> {
  const readings = (await readLog()).match(/reading cache from .*/g) ?? []
  const missing = readings.filter((line) => !line.includes('... success'))
  report.claim(
    `files compiled in the build: ${readings.length - missing.length}, missing: ${missing.length}`,
    readings.length > missing.length && missing.length === 0,
  )
}

async function claimLife(engine: Engine, volume: string, report: ProofParts['report']) {
  const healthCheck = await claimSettings(engine, report)
  const first = await startContainer(engine, volume)
  await claimCompiled(first, report)
  await claimConfinement(first, report)
  await checkSite(first.url, { report })
  const { status: kept, reference = '' } = await postMessage(first.url, { message: MESSAGE })
  report.claim(`a message is kept: ${reference}`, kept === 200)
  const healthy = await first.exec(...healthCheck)
  report.claim(`healthy while it serves: exit ${healthy.status}`, healthy.status === 0)
  await first.terminate()
  await wait(200)
  const stopping = await first.exec(...healthCheck)
  report.claim(`unhealthy while it stops: exit ${stopping.status}`, stopping.status !== 0)
  const status = await first.remove()
  report.claim(`stopped gracefully: exit ${status}`, status === 0)

  const second = await startContainer(engine, volume)
  const { stdout } = await second.exec(...INBOX, 'show', reference)
  report.claim('a new container on the same volume has the message', stdout.includes(MESSAGE))
  const sound = await second.exec(...INBOX, 'verify')
  report.claim(`the inbox is sound: exit ${sound.status}`, sound.status === 0)
  await second.terminate()
  await second.remove()
}

/** Builds the image and checks its containers. NODE_IMAGE, if set, replaces the base image of the Dockerfile. */
export const prove: Proof = async ({ report }) => {
  const engine = await findEngine(report)
  const names = engine?.name ?? `CONTAINER_ENGINE, by default ${ENGINES.join(' or ')},`
  report.claim(`${names} builds the image`, Boolean(engine))
  if (!engine) return
  const volume = `rg-website-proof-${process.pid}`
  try {
    await claimLife(engine, volume, report)
  } finally {
    await engine.start('volume', 'rm', '--force', volume)
  }
}
