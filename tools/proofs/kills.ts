import { setTimeout as wait } from 'node:timers/promises'
import { postMessage } from '../harness/client.ts'
import {
  claimKept,
  type Proof,
  type ProofParts,
  type StoreKind,
  type Stores,
  startSite,
  withStores,
} from './proof.ts'

const ROUNDS: Record<StoreKind, number> = { sqlite: 60, postgres: 20 }
const CLIENTS = 32
const MIN_LIFE_MS = 50
const MAX_LIFE_MS = 1250

/** Maps the text of each message that was answered 200 to its reference. */
type Acknowledged = Map<string, string>

let texts = 0

async function postUntilGone(site: string, acknowledged: Acknowledged): Promise<void> {
  for (;;) {
    const message = `Message number ${++texts} under fire`
    const url = texts % 10 === 0 ? 'https://spam.example' : ''
    const answer = await postMessage(site, { message, url }).catch(() => undefined)
    if (!answer) return
    if (answer.reference) acknowledged.set(message, answer.reference)
  }
}

async function proveOver(kind: StoreKind, stores: Stores, parts: ProofParts): Promise<void> {
  const rounds = parts.count ?? ROUNDS[kind]
  parts.report.note(`${kind}: kill -9, ${rounds} times, under ${CLIENTS} clients`)
  const database = await stores.create()
  const acknowledged: Acknowledged = new Map()
  for (let round = 0; round < rounds; round++) {
    const site = await startSite(database)
    const clients = Array.from({ length: CLIENTS }, () => postUntilGone(site.url, acknowledged))
    await wait(MIN_LIFE_MS + parts.random() * (MAX_LIFE_MS - MIN_LIFE_MS))
    await site.stop('SIGKILL')
    await Promise.all(clients)
  }
  await claimKept(database, acknowledged, parts.report)
}

/** A killed server loses no message that it has acknowledged. */
export const prove: Proof = (parts) =>
  withStores(parts.stores, (kind, stores) => proveOver(kind, stores, parts))
