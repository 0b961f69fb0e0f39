import { createAddress, createValid, send } from '../harness/client.ts'
import {
  createHostileHeaders,
  createHostilePosts,
  HOSTILE_PATHS,
  readCode,
  UNITS,
} from '../harness/hostile-texts.ts'
import { type Proof, type ProofParts, startSite, withStores } from './proof.ts'

const MAX_MS = 20

/** Tries of the slowest request. The best time counts, because the machine may have paused. */
const TRIES = 10

interface Question {
  name: string
  ask(): Promise<{ status: number; duration: number; body: string }>
  isRight(answer: { status: number; body: string }): boolean
}

const createVisitor = () => ({ 'X-Forwarded-For': createAddress() })

function createPosts(url: string): Question[] {
  return UNITS.flatMap((unit) => createHostilePosts(unit, createValid())).map(
    ({ name, way, path, headers, body, code }) => ({
      name,
      ask() {
        const length = { 'Content-Length': Buffer.byteLength(body) }
        const all = { ...headers, ...length, ...createVisitor() }
        return send(url, { method: 'POST', path, headers: all, body })
      },
      isRight: (answer) => readCode(way, answer) === code,
    }),
  )
}

function createOthers(url: string): Question[] {
  const requests = [...HOSTILE_PATHS, ...createHostileHeaders(createVisitor, createValid())]
  return requests.map(({ name, method, path, headers, body }) => ({
    name,
    ask: () => send(url, { method, path, headers, body }),
    isRight: ({ status }) => status < 500,
  }))
}

async function sweep(kind: string, questions: Question[], report: ProofParts['report']) {
  const wrong: string[] = []
  const results: { question: Question; duration: number; tries: number }[] = []
  for (const question of questions) {
    const answer = await question.ask()
    if (!question.isRight(answer)) wrong.push(question.name)
    results.push({ question, duration: answer.duration, tries: 1 })
  }
  const findSlowest = () => results.sort((one, other) => other.duration - one.duration)[0]
  let slowest = findSlowest()
  while (slowest && slowest.tries < TRIES) {
    slowest.duration = Math.min(slowest.duration, (await slowest.question.ask()).duration)
    slowest.tries += 1
    slowest = findSlowest()
  }
  const longest = slowest?.duration ?? 0
  report.claim(`${kind}: ${wrong.length} not answered by the rules`, !wrong[0])
  for (const name of wrong.slice(0, 5)) report.note(name)
  report.claim(
    `${kind}: ${results.length} answered, the slowest after ${longest.toFixed(1)} ms`,
    longest < MAX_MS,
  )
  for (const { question, duration } of results.slice(0, 5)) {
    report.note(`${duration.toFixed(1)} ms: ${question.name}`)
  }
}

/** No request of the maximum size blocks the process, for any repeated text. */
export const prove: Proof = ({ report, stores: kinds = ['sqlite'] }) =>
  withStores(kinds, async (_kind, stores) => {
    const site = await startSite(await stores.create())
    for (const { ask } of createPosts(site.url)) await ask()
    await sweep('posts', createPosts(site.url), report)
    await sweep('headers and paths', createOthers(site.url), report)
    await site.stop()
  })
