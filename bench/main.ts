import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Answer } from './bare.ts'
import type { Load } from './load.ts'

const ROUNDS = 12
const CONNECTIONS = 50
const ROUND = 800

const here = import.meta.dirname
const children: ChildProcess[] = []
const folder = mkdtempSync(join(tmpdir(), 'bench-'))

/** Starts the site as it runs in production; resolves to its port. */
async function startSite(): Promise<number> {
  const site = spawn(process.execPath, [join(here, '../server/main.ts')], {
    env: {
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'inbox.sqlite')}`,
      TRUST_PROXY: '1',
      CONTACT_LIMIT: '1000000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(site)
  for await (const line of createInterface({ input: site.stdout })) {
    const { port } = JSON.parse(line)
    if (!port) continue
    site.stdout.resume()
    return port
  }
  throw new Error('The site did not start')
}

async function ask(child: ChildProcess, question: object): Promise<unknown> {
  child.send(question)
  return (await once(child, 'message'))[0]
}

async function startBare(answer: Answer): Promise<number> {
  const bare = fork(join(here, 'bare.ts'))
  children.push(bare)
  return (await ask(bare, answer)) as number
}

async function sample(address: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(address, init)
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Measures a target and the bare server in turn; prints the medians and their ratio. */
async function compare(name: string, site: number, bare: number, target: Partial<Load>) {
  const generator = fork(join(here, 'load.ts'))
  children.push(generator)
  const rates: Record<string, number[]> = { site: [], bare: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [which, port] of [
      ['site', site],
      ['bare', bare],
    ] as const) {
      const load = {
        connections: CONNECTIONS,
        duration: ROUND,
        port,
        round,
        path: '/',
        post: false,
      }
      const { answers, failures } = (await ask(generator, { ...load, ...target })) as {
        answers: number
        failures: number
      }
      if (failures > 0) throw new Error(`${failures} of ${answers} answers of ${name} were not 200`)
      if (round > 0) rates[which]?.push(answers / (ROUND / 1000))
    }
  }
  const [ours, theirs] = [median(rates.site ?? []), median(rates.bare ?? [])]
  const figures = [ours, theirs].map((rate) => rate.toFixed(0).padStart(8))
  console.log(`${name.padEnd(22)}${figures.join('')}${(ours / theirs).toFixed(2).padStart(8)}`)
}

try {
  const port = await startSite()
  const site = `http://127.0.0.1:${port}`
  const page = await sample(site)
  const kept = await sample(`${site}/api/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      firstName: 'Bench',
      lastName: 'Mark',
      email: 'bench@example.ca',
      message: 'What an answer looks like',
      formStartTime: '1000000000000',
    }),
  })
  console.log(`requests a second, median of ${ROUNDS} rounds, ${CONNECTIONS} connections`)
  console.log(`${''.padEnd(22)}    site    bare   ratio`)
  await compare('GET /', port, await startBare(page), {})
  await compare('POST /api/contact', port, await startBare(kept), {
    path: '/api/contact',
    post: true,
  })
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true })
}
