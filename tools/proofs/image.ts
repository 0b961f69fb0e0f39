import { setTimeout as wait } from 'node:timers/promises'
import { postMessage } from '../harness/client.ts'
import { findFreePort, run } from '../harness/process.ts'
import { ROOT } from '../harness/project.ts'
import { until } from '../harness/raw-client.ts'
import type { Proof, ProofOptions } from './proof.ts'
import { checkSite } from './smoke.ts'

/** CONTAINER_ENGINE: Docker, or a program with the same commands. NODE_IMAGE: another base image. */
const { CONTAINER_ENGINE: ENGINE = 'docker', NODE_IMAGE } = process.env
const IMAGE = 'localhost/rg-website:proof'
const INBOX = ['node', 'server/inbox/cli.ts']
const MESSAGE = 'Ce message survit au conteneur.'
const READY_TIMEOUT_MS = 10_000
/** The restrictions of compose.yaml, except its limit of memory. */
const SAFE = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges']

async function call(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(ENGINE, args)
  if (status !== 0) throw new Error(`${ENGINE} ${args.join(' ')}:\n${stderr.slice(-2000)}`)
  return stdout.trim()
}

/** Starts a container with one volume. NODE_DEBUG_NATIVE logs each file that Node reads from its compile cache. */
async function startContainer(volume: string) {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const place = ['-v', `${volume}:/data`, '-p', `127.0.0.1:${port}:${port}`]
  const settings = [`PORT=${port}`, 'PUBLIC_URL=https://www.example.ca']
  const variables = [...settings, 'NODE_DEBUG_NATIVE=COMPILE_CACHE'].flatMap((each) => ['-e', each])
  const id = await call('run', '-d', ...SAFE, ...place, ...variables, IMAGE)
  async function readLog(): Promise<string> {
    const { stdout, stderr } = await run(ENGINE, ['logs', id])
    return stdout + stderr
  }
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => wait(100, false),
    )
  await until(isReady, READY_TIMEOUT_MS).catch(async (error) => {
    const log = await readLog()
    await run(ENGINE, ['rm', '-f', id])
    throw new Error(`${error.message}:\n${log}`)
  })
  return {
    url,
    readLog,
    exec: (...command: string[]) => run(ENGINE, ['exec', id, ...command]),
    terminate: () => call('kill', '--signal=TERM', id),
    /** Resolves to the exit code. */
    async remove() {
      const status = Number(await call('wait', id))
      await call('rm', id)
      return status
    },
  }
}

async function proveLife(volume: string, report: ProofOptions['report']): Promise<void> {
  const [facts] = JSON.parse(await call('image', 'inspect', IMAGE))
  report.note(`${(facts.Size / 1e6).toFixed(1)} MB with the base image`)
  const [, ...healthCheck] = (facts.Healthcheck ?? facts.Config.Healthcheck).Test

  const first = await startContainer(volume)
  const cached = (await first.readLog()).match(/reading cache from .*/g) ?? []
  const missing = cached.filter((line) => !line.includes('... success'))
  const compiled = `files compiled in the build: ${cached.length}, of these missing: ${missing.length}`
  report.claim(compiled, cached.length > 0 && missing.length === 0)
  await checkSite(first.url, report)
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

  const second = await startContainer(volume)
  const { stdout } = await second.exec(...INBOX, 'show', reference)
  report.claim('a new container on the same volume has the message', stdout.includes(MESSAGE))
  const sound = await second.exec(...INBOX, 'verify')
  report.claim(`the inbox is sound: exit ${sound.status}`, sound.status === 0)
  await second.terminate()
  await second.remove()
}

/** Builds the image and checks its containers. */
export const prove: Proof = async ({ report }) => {
  const base = NODE_IMAGE ? ['--build-arg', `NODE_IMAGE=${NODE_IMAGE}`] : []
  // Podman's own image format has no health check.
  const format = ENGINE.endsWith('podman') ? ['--format', 'docker'] : []
  const { status, stderr } = await run(ENGINE, ['build', ...format, ...base, '-t', IMAGE, ROOT])
  report.claim(`${ENGINE} builds the image`, status === 0)
  if (status !== 0) return report.note(stderr.trim().split('\n').slice(-3).join('\n  '))
  const volume = `rg-website-proof-${process.pid}`
  try {
    await proveLife(volume, report)
  } finally {
    await run(ENGINE, ['volume', 'rm', '--force', volume])
  }
}
