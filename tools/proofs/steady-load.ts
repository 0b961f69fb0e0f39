import { setTimeout as wait } from 'node:timers/promises'
import { createAddress } from './client.ts'
import { openWire, type Wire } from './wire.ts'

const CLIENTS = 40
const PATHS = [
  '/',
  '/services?lang=en',
  '/secteurs-activite',
  '/health-safety',
  '/contact',
  '/politique-confidentialite',
  '/sitemap.xml',
  '/no-such-page',
]
const NOT_FOUND = '/no-such-page'

let texts = 0

interface Turn {
  request: string
  status: number
}

function createGet(path: string): Turn {
  const headers = 'Host: localhost\r\nAccept-Encoding: gzip, br'
  return {
    request: `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`,
    status: path === NOT_FOUND ? 404 : 200,
  }
}

function createPost(valid: boolean): Turn {
  const body = JSON.stringify({
    firstName: 'Zoe',
    lastName: 'Preuve',
    email: valid ? 'zoe@exemple.ca' : 'zoe',
    message: `Message number ${++texts} of a long day`,
    formStartTime: String(Date.now() - 60_000),
  })
  const request = [
    'POST /api/contact HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `X-Forwarded-For: ${createAddress()}`,
    '',
    body,
  ].join('\r\n')
  return { request, status: valid ? 200 : 400 }
}

/** Of a hundred requests five are messages and one is a refused one; the rest read. */
function createTurn(number: number): Turn {
  if (number % 20 === 0) return createPost(true)
  if (number % 100 === 1) return createPost(false)
  return createGet(PATHS[number % PATHS.length] ?? '/')
}

export interface Load {
  requests: number
  /** What was answered otherwise than it should, by what came. */
  faults: Map<string, number>
}

interface LoadOptions {
  port: number
  /** In ms. */
  duration: number
  /** Requests a second in all; without it as many as are answered. */
  rate?: number
}

/** Asks for a mix of everything, for so long. */
export async function load({ port, duration, rate }: LoadOptions): Promise<Load> {
  const result: Load = { requests: 0, faults: new Map() }
  const start = performance.now()
  const interval = rate ? (CLIENTS / rate) * 1000 : 0

  async function ask(client: number): Promise<void> {
    let wire: Wire | undefined
    let due = start + (interval * client) / CLIENTS
    while (performance.now() - start < duration) {
      const early = due - performance.now()
      if (early > 1) await wait(early)
      due += interval
      if (!wire || wire.isOver()) wire = await openWire(port)
      const turn = createTurn(result.requests++)
      const { outcome, status } = (await wire?.ask(turn.request)) ?? {}
      if (outcome === 'answered' && status === turn.status) continue
      const fault = `${outcome ?? 'refused'} ${status ?? ''} for ${turn.status}`
      result.faults.set(fault, (result.faults.get(fault) ?? 0) + 1)
    }
    wire?.end()
  }

  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => ask(client)))
  return result
}
