import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { createAddress, send } from '../harness/client.ts'
import type { SiteProcess } from '../harness/process.ts'
import { openSocket } from '../harness/raw-client.ts'
import { findFault, type Received, readAnswers } from './fuzz/answers.ts'
import {
  type Fields,
  fields,
  formBody,
  jsonBody,
  oddHeaders,
  path,
  writeForm,
} from './fuzz/inputs.ts'
import { ADDRESS, rawRequest } from './fuzz/raw-requests.ts'
import { type Proof, type ProofOptions, startProvedSite, withStores } from './proof.ts'

/** The proof sends this number of JSON bodies and this number of form bodies. */
const BODIES = 50_000
const TIMEOUT_MS = 20_000
const TYPES = {
  '/api/contact': 'application/json',
  '/contact': 'application/x-www-form-urlencoded',
}
/** Log message for a script error that a browser reported; not an error of the server. */
const BROWSER_ERROR = 'a script failed in a browser'
/** After an Upgrade header, Node's parser hides errors in the body, so the site may send no answer. */
const SWALLOWED = /^upgrade:/im

function insist<Judged extends Received>(answer: Judged): Judged {
  const fault = findFault(answer)
  if (fault) throw new Error(fault)
  return answer
}

async function post(site: string, path: keyof typeof TYPES, body: Buffer, odd = {}) {
  const own = { 'X-Forwarded-For': createAddress(), 'Content-Type': TYPES[path] }
  const headers = { ...own, 'Content-Length': body.length, ...odd }
  return insist(await send(site, { method: 'POST', path, headers, body }))
}

async function exchange(url: string, bytes: Buffer): Promise<string> {
  const socket = await openSocket({ url })
  socket.setTimeout(TIMEOUT_MS, () =>
    socket.destroy(new Error('the site did not close the connection')),
  )
  socket.end(bytes)
  return (await buffer(socket)).toString('latin1')
}

/** Describes the outcome of a JSON request in the same format as describeForm. */
function describeJson({ status, body }: Received): string {
  if (status === 200) return 'accepted'
  const { code, errors } = JSON.parse(body)
  const faults = errors?.map(({ field, code }: Fields) => ({ field, code }))
  return JSON.stringify([status, faults ?? code])
}

const STATE = /<script type="application\/json" id="state">(.*?)<\/script>/s

function describeForm({ status, body }: Received): string {
  if (status === 303) return 'accepted'
  const { contact } = JSON.parse(STATE.exec(body)?.[1] ?? '')
  const { faults, code } = contact.refusal
  return JSON.stringify([status, faults ?? code])
}

function createProperties(site: string) {
  return {
    'bodies as JSON and as a form': fc.asyncProperty(fields, async (value) => {
      const [byJson, byForm] = await Promise.all([
        post(site, '/api/contact', Buffer.from(JSON.stringify(value))),
        post(site, '/contact', Buffer.from(writeForm(value))),
      ])
      // URL encoding is mostly longer than JSON, so the form alone may exceed the size limit: skip these fields.
      if (byForm.status === 413) return
      const [one, other] = [describeJson(byJson), describeForm(byForm)]
      if (one !== other) throw new Error(`outcomes differ: JSON ${one}, form ${other}`)
    }),
    'JSON bodies': fc.asyncProperty(jsonBody, oddHeaders, async (body, odd) => {
      await post(site, '/api/contact', body, odd)
    }),
    'urlencoded bodies': fc.asyncProperty(formBody, oddHeaders, async (body, odd) => {
      await post(site, '/contact', body, odd)
    }),
    'raw requests': fc.asyncProperty(rawRequest, async (text) => {
      const bytes = Buffer.from(text.replaceAll(ADDRESS, createAddress()), 'latin1')
      const answers = readAnswers(await exchange(site, bytes))
      for (const answer of answers) insist(answer)
      const mayBeSilent = text.trim() === '' || SWALLOWED.test(text)
      if (answers.length === 0 && !mayBeSilent)
        throw new Error('the site closed the connection without an answer')
    }),
    'paths, queries and cookies': fc.asyncProperty(path, oddHeaders, async (target, odd) => {
      const headers = { 'X-Forwarded-For': createAddress(), ...odd }
      insist(await send(site, { path: target, headers }))
    }),
  }
}

async function fuzz(site: SiteProcess, { random, report, count = BODIES }: ProofOptions) {
  const checks = Object.entries(createProperties(site.url)).map(async ([name, property]) => {
    const seed = Math.floor(random() * 2 ** 31)
    const numRuns = Math.ceil(count * (name.includes('bodies') ? 0.5 : 0.4))
    const details = await fc.check(property as fc.IAsyncProperty<unknown>, { seed, numRuns })
    report.claim(`${details.numRuns} ${name}, seed ${seed}`, !details.failed)
    if (details.failed) {
      report.note(`${details.errorInstance}: ${fc.stringify(details.counterexample)}`)
    }
  })
  await Promise.all(checks)
  const alive = await send(site.url, { path: '/livez' })
  report.claim('the site still answers', alive.status === 200 && site.child.exitCode === null)
}

/** No request makes the site fail, hang or send a wrong answer (see findFault). */
export const prove: Proof = (parts) =>
  withStores(parts.stores ?? ['sqlite'], async (_kind, createStore) => {
    const { report } = parts
    const site = await startProvedSite(await createStore(), {
      isKept: ({ level, msg }) => Number(level) >= 50 && msg !== BROWSER_ERROR,
    })
    await fuzz(site, parts)
    await site.stop()
    const errors = site.logged.map((line) => JSON.stringify(line))
    report.claimNone('no errors in the log', errors)
  })
