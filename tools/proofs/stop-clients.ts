import { createAddress } from './client.ts'
import { type Exchange, openWire, type Wire } from './wire.ts'

const CLIENTS = 24
const SLOW_BODIES = 6
const READINESS_INTERVAL = 200

const PATHS = ['/', '/contact', '/services?lang=en', '/sitemap.xml', '/livez']

let texts = 0

/** The head of a post, and its body; no two are the same. */
function createPost(): { head: string; body: string; message: string } {
  const message = `Message number ${++texts} before the end`
  const body = JSON.stringify({
    firstName: 'Zoe',
    lastName: 'Preuve',
    email: 'zoe@exemple.ca',
    message,
    formStartTime: String(Date.now() - 60_000),
  })
  const head = [
    'POST /api/contact HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `X-Forwarded-For: ${createAddress()}`,
    '\r\n',
  ].join('\r\n')
  return { head, body, message }
}

/** What became of all requests of a proof. */
export interface Tally {
  answered: number
  /** Answers that broke off. */
  cut: number
  /** Asked over a connection that had not said that it ends, and never answered. */
  dropped: number
  /** Asked over a new connection that was reset before the site took it from the kernel. */
  atTheDoor: number
  /** The same, where a proxy asks first whether the site is ready. */
  atTheDoorOfProxy: number
  wrongStatus: number
  /** Message text to reference, of what was answered 200. */
  acknowledged: Map<string, string>
  unanswered: string[]
}

export const createTally = (): Tally => ({
  answered: 0,
  cut: 0,
  dropped: 0,
  atTheDoor: 0,
  atTheDoorOfProxy: 0,
  wrongStatus: 0,
  acknowledged: new Map(),
  unanswered: [],
})

interface Client {
  port: number
  tally: Tally
  writes: boolean
  /** Takes a new connection for each request. */
  isNew: boolean
  /** Asks for more as long as this holds. */
  goesOn: () => boolean
  proxied: boolean
}

function count(
  client: Pick<Client, 'tally' | 'proxied'>,
  wire: Wire,
  exchange: Exchange,
  message?: string,
) {
  const { tally, proxied } = client
  const { outcome, status, body } = exchange
  if (outcome === 'cut') tally.cut += 1
  if (outcome === 'silent' && wire.answered > 0) tally.dropped += 1
  if (outcome === 'silent' && wire.answered === 0) {
    tally[proxied ? 'atTheDoorOfProxy' : 'atTheDoor'] += 1
  }
  if (outcome !== 'answered') {
    if (message) tally.unanswered.push(message)
    return
  }
  tally.answered += 1
  if (status !== 200) tally.wrongStatus += 1
  if (message && status === 200) tally.acknowledged.set(message, JSON.parse(body).reference)
}

/** Asks one thing after the other until nobody listens any more. */
async function askUntilGone(client: Client): Promise<void> {
  let wire: Wire | undefined
  for (let turn = 0; client.goesOn(); turn++) {
    if (!wire || wire.isOver() || client.isNew) {
      wire?.end()
      wire = await openWire(client.port)
      if (!wire) return
    }
    if (client.writes) {
      const { head, body, message } = createPost()
      count(client, wire, await wire.ask(head + body), message)
    } else {
      const path = PATHS[turn % PATHS.length]
      count(client, wire, await wire.ask(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`))
    }
  }
  wire?.end()
}

/** A post whose second half comes only after a moment. */
async function postSlowly(port: number, tally: Tally, after: Promise<unknown>): Promise<void> {
  const wire = await openWire(port)
  if (!wire) throw new Error('The site is gone too early')
  const { head, body, message } = createPost()
  const half = Math.floor(body.length / 2)
  const rest = { after, text: body.slice(half) }
  count({ tally, proxied: false }, wire, await wire.ask(head + body.slice(0, half), rest), message)
}

/** What a proxy knows: it asks now and then whether the site is ready. */
async function watchReadiness(url: string): Promise<{ isReady: () => boolean; end: () => void }> {
  let ready = true
  const timer = setInterval(async () => {
    ready &&= await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }, READINESS_INTERVAL)
  return { isReady: () => ready, end: () => clearInterval(timer) }
}

/** Everyone who asks something of the site until it is gone. */
export async function ask(url: string, tally: Tally, late: Promise<unknown>): Promise<void> {
  const port = Number(new URL(url).port)
  const proxy = await watchReadiness(url)
  const clients = Array.from({ length: CLIENTS }, (_, n) => {
    const proxied = n % 2 === 0
    const goesOn = proxied ? proxy.isReady : () => true
    const client = { port, tally, writes: n % 4 < 2, isNew: n % 8 < 4, goesOn, proxied }
    return askUntilGone(client)
  })
  const slow = Array.from({ length: SLOW_BODIES }, () => postSlowly(port, tally, late))
  await Promise.all([...clients, ...slow])
  proxy.end()
}
