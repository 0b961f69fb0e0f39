import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../server/connection/listen.ts'
import { createBuildah } from './buildah.ts'
import { createDocker } from './docker.ts'
import { type Container, type Engine, type ImageFacts, run } from './engine.ts'
import { claimConfinement } from './image-inside.ts'
import type { Proof, ProofParts } from './main.ts'
import { checkSite, postMessage } from './smoke.ts'

const ROOT = join(import.meta.dirname, '../..')
const IMAGE = 'localhost/rg-website:proof'
const INBOX = ['node', 'server/inbox/cli.ts']
const MESSAGE = 'Ce message survit au conteneur.'
/** As behind a proxy with TLS: only the site's own name is served, and loopback names. */
const environment = { PUBLIC_URL: 'https://www.example.ca' }

type Report = ProofParts['report']

/** The first container engine that answers; undefined when there is none. */
async function findEngine(): Promise<Engine | undefined> {
  const engines = [createDocker('docker'), createDocker('podman'), createBuildah()]
  for (const engine of engines) if (await engine.answers()) return engine
  return undefined
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

async function buildImage(engine: Engine): Promise<ImageFacts> {
  const { stdout } = await run('git', ['-C', ROOT, 'rev-parse', 'HEAD'])
  const { NODE_IMAGE } = process.env
  await engine.build(IMAGE, ROOT, {
    REVISION: stdout.trim() || 'unknown',
    ...(NODE_IMAGE && { NODE_IMAGE }),
  })
  return engine.inspect(IMAGE)
}

function claimFacts(facts: ImageFacts, report: Report): void {
  report.note(
    `${megabytes(facts.size)} with the base image; layers, the last one first, where they are told:`,
  )
  for (const { size, by } of facts.layers) {
    const step = by.replace(/^\/bin\/sh -c (?:#\(nop\) )?/, '').replace(/(dir|file):\w+/, '$1')
    if (!/^0 ?B$/.test(size)) report.note(`  ${size.padStart(8)}  ${step.slice(0, 60)}`)
  }
  const labels = ['title', 'description', 'licenses', 'version', 'revision']
  const named = labels.filter((name) => facts.labels[`org.opencontainers.image.${name}`])
  report.claim(`labels: ${named.join(', ')}`, named.length === labels.length)
  report.claim(`user ${facts.user}`, /^\d+:\d+$/.test(facts.user) && !facts.user.startsWith('0'))
  report.claim(`volumes ${facts.volumes}`, facts.volumes.join() === '/data')
  report.claim(`started without a shell: ${facts.command.join(' ')}`, facts.command[0] === 'node')
  report.claim('a health check without a shell', facts.healthCheck[0] === 'node')
}

async function claimHealth(container: Container, facts: ImageFacts, report: Report): Promise<void> {
  const check = async () => (await container.exec(...facts.healthCheck)).status
  const before = await check()
  report.claim(`healthy while it serves: exit ${before}`, before === 0)
  await container.terminate()
  await wait(200)
  const after = await check()
  report.claim(`unhealthy once it is told to stop: exit ${after}`, after !== 0)
  const status = await container.remove()
  report.claim(`stopped in order: exit ${status}`, status === 0)
}

async function claimLife(engine: Engine, facts: ImageFacts, report: Report): Promise<void> {
  const volume = `rg-website-proof-${process.pid}`
  const start = async () =>
    engine.start(IMAGE, { volume, environment, port: await findFreePort('127.0.0.1') })
  try {
    const first = await start()
    await claimConfinement(first, report)
    await checkSite({ site: first.url, report })
    const answer = await postMessage(first.url, MESSAGE)
    const { reference = '' } = (await answer.json()) as { reference?: string }
    report.claim(`a message is kept: ${reference}`, answer.status === 200)
    await claimHealth(first, facts, report)

    const second = await start()
    const { stdout } = await second.exec(...INBOX, 'show', reference)
    report.claim('a new container on the same volume has it', stdout.includes(MESSAGE))
    const { status } = await second.exec(...INBOX, 'verify')
    report.claim(`the inbox is sound: exit ${status}`, status === 0)
    await second.terminate()
    await second.remove()
  } finally {
    await engine.removeVolume(volume)
  }
}

/**
 * The image is built and started as production starts it. NODE_IMAGE names another base image,
 * where the pinned one is out of reach.
 */
export const prove: Proof = async ({ report }) => {
  const engine = await findEngine()
  report.claim(`a container engine answers: ${engine?.name ?? 'none'}`, engine !== undefined)
  if (!engine) return
  const facts = await buildImage(engine)
  claimFacts(facts, report)
  await claimLife(engine, facts, report)
}
