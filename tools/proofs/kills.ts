import { setTimeout as wait } from 'node:timers/promises'
import { createAddress, post } from './client.ts'
import type { Proof, ProofParts } from './main.ts'
import { type Site, startSite } from './site.ts'
import { listAll, patiently, type StoreKind, type Stores, withInbox, withStores } from './stores.ts'

const ROUNDS: Record<StoreKind, number> = { sqlite: 60, postgres: 20 }
const CLIENTS = 32
const SHORTEST_LIFE = 50
const LIFE_SPREAD = 1200

/** What was answered 200: message text to reference. */
type Acknowledged = Map<string, string>

let texts = 0

async function postUntilGone(site: Site, acknowledged: Acknowledged): Promise<void> {
  for (;;) {
    const message = `Message number ${++texts} under fire`
    const url = texts % 10 === 0 ? 'https://spam.example' : ''
    const answer = await post(site.url, { message, url }, createAddress()).catch(() => undefined)
    if (!answer) return
    if (answer.reference) acknowledged.set(message, answer.reference)
  }
}

async function check(url: string, acknowledged: Acknowledged, { report }: ProofParts) {
  await withInbox(url, async (inbox) => {
    const kept = new Map<string, string[]>()
    for await (const { message, reference } of listAll(inbox)) {
      kept.set(message, [...(kept.get(message) ?? []), reference])
    }
    const count = [...kept.values()].flat().length
    const isKept = ([message, reference]: [string, string]) =>
      kept.get(message)?.includes(reference) ?? false
    const lost = [...acknowledged].filter((each) => !isKept(each)).length
    const doubled = [...kept.values()].filter(({ length }) => length > 1).length
    const faults = await inbox.findFaults(patiently())
    report.note(`${acknowledged.size} answered 200, ${count} kept`)
    report.claim(`every 200 is in the inbox: ${lost} lost`, lost === 0 && acknowledged.size > 0)
    report.claim(`each exactly once: ${doubled} more than once`, doubled === 0)
    report.claim(`integrity, and an outbox row each: ${faults.length} faults`, faults.length === 0)
  })
}

async function proveOver(kind: StoreKind, stores: Stores, parts: ProofParts): Promise<void> {
  const rounds = parts.count ?? ROUNDS[kind]
  parts.report.note(`${kind}: kill -9, ${rounds} times, under ${CLIENTS} clients`)
  const url = await stores.create()
  const acknowledged: Acknowledged = new Map()
  for (let round = 0; round < rounds; round++) {
    const site = await startSite(url)
    const clients = Array.from({ length: CLIENTS }, () => postUntilGone(site, acknowledged))
    await wait(SHORTEST_LIFE + parts.random() * LIFE_SPREAD)
    await site.end('SIGKILL')
    await Promise.all(clients)
  }
  await check(url, acknowledged, parts)
}

/** A server that dies at any moment loses nothing that it has acknowledged. */
export const prove: Proof = (parts) =>
  withStores(parts.stores, (kind, stores) => proveOver(kind, stores, parts))
