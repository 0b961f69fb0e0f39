import { createAddress, postMessage } from '../harness/client.ts'
import { farDeadline, type Proof, startProvedSite, withInbox, withStores } from './proof.ts'

const ROUNDS = 50
const POSTS = 100
const LIMIT = 2

/** Two processes share a store. When one address sends many messages at once, they accept exactly the limit. */
export const prove: Proof = ({ report, count: rounds = ROUNDS, stores: kinds }) =>
  withStores(kinds, async (kind, createStore) => {
    report.note(`${kind}: two processes, ${POSTS} posts of one address at once, ${rounds} times`)
    const database = await createStore()
    const environment = { CONTACT_LIMIT: String(LIMIT) }
    const sites = await Promise.all([1, 2].map(() => startProvedSite(database, { environment })))
    let exact = 0
    for (let round = 0; round < rounds; round++) {
      const address = createAddress()
      const answers = await Promise.all(
        Array.from({ length: POSTS }, (_, n) => {
          const message = `Round ${round}, message ${n}`
          return postMessage(sites[n % 2]?.url ?? '', { message }, address)
        }),
      )
      const accepted = answers.filter(({ status }) => status === 200).length
      const refused = answers.filter(({ status }) => status === 429).length
      if (accepted === LIMIT && refused === POSTS - LIMIT) exact += 1
    }
    for (const site of sites) await site.stop('SIGKILL')
    const kept = await withInbox(database, (inbox) => inbox.countByStatus(farDeadline()))
    report.claim(`${LIMIT} accepted, all others refused: ${exact} times`, exact === rounds)
    report.claim(`${kept.new} kept in all`, kept.new === rounds * LIMIT)
  })
