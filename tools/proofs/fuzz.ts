import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { createAddress } from './client.ts'
import { type Answer, ask, exchange, readAnswers } from './fuzz/ask.ts'
import {
  type Fields,
  fields,
  formBody,
  jsonBody,
  oddHeaders,
  path,
  writeForm,
} from './fuzz/inputs.ts'
import { findFault } from './fuzz/judge.ts'
import { ADDRESS, rawRequest } from './fuzz/raw-requests.ts'
import type { Proof, ProofParts } from './main.ts'
import { type Site, startSite } from './site.ts'
import { withStores } from './stores.ts'

/** Of each kind of body; of raw requests and of paths there are two fifths. */
const BODIES = 50_000
/** Fewer than an address may be refused. */
const POSTS_AN_ADDRESS = 15
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
/** What a browser has reported is logged as an error, too. */
const REPORTED = 'a script failed in a browser'
/** After this header Node's parser keeps a broken body to itself; then the connection just ends, here with the client. */
const SWALLOWED = /^upgrade:/im
const STATE = /<script type="application\/json" id="state">(.*?)<\/script>/s

/** Addresses that are each asked from a few times, so that no limit hides what comes after it. */
function createAddresses(): () => string {
  let address = ''
  let uses = 0
  return () => {
    if (uses % POSTS_AN_ADDRESS === 0) address = createAddress()
    uses += 1
    return address
  }
}

function insist(answer: Answer): Answer {
  const fault = findFault(answer)
  if (fault) throw new Error(fault)
  return answer
}

function post(url: string, to: string, type: string, address: string, body: Buffer, odd = {}) {
  const headers = {
    'X-Forwarded-For': address,
    'Content-Type': type,
    'Content-Length': body.length,
    ...odd,
  }
  return ask(url, { method: 'POST', path: to, headers, body }).then(insist)
}

/** What the two ways say of the same fields, in words that can be compared. */
function describeJson({ status, body }: Answer): string {
  if (status === 200) return 'accepted'
  const { detail, errors } = JSON.parse(body)
  const faults = errors?.map(({ field, code }: Fields) => ({ field, code }))
  return JSON.stringify([status, faults ?? detail])
}

function describeForm({ status, body }: Answer): string {
  if (status === 303) return 'accepted'
  const { contact } = JSON.parse(STATE.exec(body)?.[1] ?? '{}')
  return JSON.stringify([status, contact.faults ?? contact.problem])
}

function createProperties(url: string) {
  const address = createAddresses()
  return {
    'bodies that JSON and a form say alike': fc.asyncProperty(fields, async (value) => {
      const [byJson, byForm] = await Promise.all([
        post(url, '/api/contact', JSON_TYPE, address(), Buffer.from(JSON.stringify(value))),
        post(url, '/contact', FORM_TYPE, address(), Buffer.from(writeForm(value))),
      ])
      // A form needs more bytes for the same text.
      if (byForm.status === 413) return
      const [one, other] = [describeJson(byJson), describeForm(byForm)]
      if (one !== other) throw new Error(`JSON says ${one}, the form ${other}`)
    }),
    'JSON bodies': fc.asyncProperty(jsonBody, oddHeaders, async (body, odd) => {
      await post(url, '/api/contact', JSON_TYPE, address(), body, odd)
    }),
    'urlencoded bodies': fc.asyncProperty(formBody, oddHeaders, async (body, odd) => {
      await post(url, '/contact', FORM_TYPE, address(), body, odd)
    }),
    'raw requests': fc.asyncProperty(rawRequest, async (text) => {
      const bytes = Buffer.from(text.replaceAll(ADDRESS, address()), 'latin1')
      const answers = readAnswers(await exchange(url, bytes))
      for (const answer of answers) insist(answer)
      const mayBeSilent = text.trim() === '' || SWALLOWED.test(text)
      if (answers.length === 0 && !mayBeSilent) throw new Error('no answer')
    }),
    'paths, queries and cookies': fc.asyncProperty(path, oddHeaders, async (target, odd) => {
      const headers = { 'X-Forwarded-For': address(), ...odd }
      insist(await ask(url, { method: 'GET', path: target, headers }))
    }),
  }
}

/** In MB, of a process that may be gone. */
async function readMemory({ child }: Site): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024)
}

function readErrors({ child }: Site): string[] {
  const errors: string[] = []
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { level, msg } = JSON.parse(line)
      if (level >= 50 && msg !== REPORTED) errors.push(line)
    })
  }
  return errors
}

async function watchMemory(site: Site, until: Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  const timer = setInterval(() => readMemory(site).then((size) => samples.push(size)), 500)
  await until.finally(() => clearInterval(timer))
  return samples
}

/** The most that the memory is above what it was after a third of the time. */
function findGrowth(samples: number[]): number {
  const third = Math.ceil(samples.length / 3)
  return Math.max(...samples.slice(-third)) / Math.max(...samples.slice(0, third))
}

async function fuzz(site: Site, { random, report, count = BODIES }: ProofParts): Promise<void> {
  const runs: Record<string, number> = {
    'bodies that JSON and a form say alike': Math.ceil(count / 2),
    'JSON bodies': Math.ceil(count / 2),
    'urlencoded bodies': Math.ceil(count / 2),
    'raw requests': Math.ceil(count * 0.4),
    'paths, queries and cookies': Math.ceil(count * 0.4),
  }
  const errors = readErrors(site)
  const checks = Object.entries(createProperties(site.url)).map(async ([name, property]) => {
    const seed = Math.floor(random() * 2 ** 31)
    const start = performance.now()
    const details = await fc.check(property as fc.IAsyncProperty<unknown>, {
      seed,
      numRuns: runs[name],
    })
    const seconds = Math.round((performance.now() - start) / 1000)
    report.claim(`${details.numRuns} ${name}, seed ${seed}, ${seconds} s`, !details.failed)
    if (details.failed) {
      report.note(`${details.errorInstance}: ${fc.stringify(details.counterexample)}`)
    }
  })
  const samples = await watchMemory(site, Promise.all(checks))
  const alive = await ask(site.url, { method: 'GET', path: '/livez', headers: {} })
  report.claim('the site lives', alive.status === 200 && site.child.exitCode === null)
  report.claim(`${errors.length} errors in the log`, errors.length === 0)
  for (const line of errors.slice(0, 3)) report.note(line)
  if (samples.length < 30) return
  const growth = Math.round((findGrowth(samples) - 1) * 100)
  report.claim(
    `memory at the end ${samples.at(-1)} MB, ${growth} % above the first third`,
    growth < 25,
  )
}

/** Nothing that anybody can send makes the site fail, hang, or answer in another way than it should. */
export const prove: Proof = (parts) =>
  withStores(parts.stores.length > 0 ? parts.stores : ['sqlite'], async (_kind, stores) => {
    const site = await startSite(await stores.create())
    await fuzz(site, parts)
    await site.end('SIGTERM')
  })
