import { createAddress, post } from './client.ts'
import type { Proof } from './main.ts'
import { startSite } from './site.ts'
import { patiently, withInbox, withStores } from './stores.ts'

const ROUNDS = 50
const POSTS = 100
const LIMIT = 2

/** Two processes over one store let exactly the limit through, however many ask at once. */
export const prove: Proof = ({ report, count: rounds = ROUNDS, stores: asked }) =>
  withStores(asked, async (kind, stores) => {
    report.note(`${kind}: two processes, ${POSTS} posts of one address at once, ${rounds} times`)
    const url = await stores.create()
    const sites = await Promise.all([1, 2].map(() => startSite(url, { limit: LIMIT })))
    const outcomes = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const address = createAddress()
      const answers = await Promise.all(
        Array.from({ length: POSTS }, (_, n) => {
          const message = `Round ${round}, message ${n}`
          return post(sites[n % 2]?.url ?? '', { message }, address)
        }),
      )
      const accepted = answers.filter(({ status }) => status === 200).length
      const refused = answers.filter(({ status }) => status === 429).length
      const outcome = `${accepted} accepted and ${refused} refused`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    for (const site of sites) await site.end()
    const { counts } = await withInbox(url, (inbox) => inbox.stats(patiently()))
    const told = [...outcomes].map(([outcome, times]) => `${outcome}: ${times} times`).join(', ')
    const expected = `${LIMIT} accepted and ${POSTS - LIMIT} refused`
    report.claim(told, outcomes.get(expected) === rounds)
    report.claim(`${counts.new} kept in all`, counts.new === rounds * LIMIT)
  })
