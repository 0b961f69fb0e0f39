import { setTimeout as wait } from 'node:timers/promises'
import { postMessage } from '../harness/client.ts'
import type { Proof, ProofParts } from './proof.ts'
import {
  farDeadline,
  listAll,
  type StoreKind,
  type Stores,
  startSite,
  withInbox,
  withStores,
} from './site.ts'

const ROUNDS: Record<StoreKind, number> = { sqlite: 60, postgres: 20 }
const CLIENTS = 32
const MIN_LIFE_MS = 50
const MAX_LIFE_MS = 1250

/** Message text to reference, of the messages that were answered 200. */
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

async function check(database: string, acknowledged: Acknowledged, { report }: ProofParts) {
  await withInbox(database, async (inbox) => {
    const kept = new Map<string, string[]>()
    for await (const { message, reference } of listAll(inbox)) {
      kept.set(message, [...(kept.get(message) ?? []), reference])
    }
    const count = [...kept.values()].flat().length
    const isKept = ([message, reference]: [string, string]) =>
      kept.get(message)?.includes(reference) ?? false
    const lost = [...acknowledged].filter((each) => !isKept(each)).length
    const doubled = [...kept.values()].filter(({ length }) => length > 1).length
    const faults = await inbox.findFaults(farDeadline())
    report.note(`${acknowledged.size} answered 200, ${count} kept`)
    report.claim(`every 200 is in the inbox: ${lost} lost`, lost === 0 && acknowledged.size > 0)
    report.claim(`each exactly once: ${doubled} more than once`, doubled === 0)
    report.claim(`integrity, and an outbox row each: ${faults.length} faults`, faults.length === 0)
  })
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
  await check(database, acknowledged, parts)
}

/** A killed server loses no message that it has acknowledged. */
export const prove: Proof = (parts) =>
  withStores(parts.stores, (kind, stores) => proveOver(kind, stores, parts))
