import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, createAddress, get, post } from './client.ts'
import type { Proof, ProofParts } from './main.ts'
import { quantile } from './report.ts'
import { type Site, startSite } from './site.ts'
import { listAll, patiently, withInbox } from './stores.ts'

const SIZE = '16m'
const POSTS = 300
const VISITS = 300
const SLOWEST_PAGE = 50

/** A small disk of its own in memory; undefined for who may not mount one. */
function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

function fill(file: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(file, Buffer.alloc(Number(bavail) * Number(bsize)))
}

let texts = 0

async function postMany(site: Site, kept: Set<string>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let count = 0; count < POSTS; count++) {
    const message = `Message ${++texts} `.padEnd(2000, 'x')
    const answer = await post(site.url, { message }, createAddress())
    if (answer.reference) kept.add(answer.reference)
    answers.push(answer)
  }
  return answers
}

async function visit(site: Site): Promise<number[]> {
  const durations: number[] = []
  for (let count = 0; count < VISITS; count++) {
    durations.push((await get(site.url, '/contact')).duration)
  }
  return durations
}

async function check(url: string, kept: Set<string>, { report }: ProofParts): Promise<void> {
  await withInbox(url, async (inbox) => {
    const found = new Set<string>()
    for await (const { reference } of listAll(inbox)) found.add(reference)
    const same = found.size === kept.size && [...kept].every((reference) => found.has(reference))
    report.claim(`${kept.size} answered 200, the same ${found.size} kept`, same)
    const faults = await inbox.findFaults(patiently())
    report.claim(`nothing torn: ${faults.length} faults`, faults.length === 0)
  })
}

async function proveFull(folder: string, url: string, parts: ProofParts): Promise<void> {
  const { report } = parts
  const site = await startSite(url)
  const kept = new Set<string>()
  await postMany(site, kept)
  await visit(site)
  fill(join(folder, 'ballast'), folder)
  const answers = await postMany(site, kept)
  const first = answers.findIndex(({ status }) => status === 503)
  const refused = answers.slice(first)
  const statuses = new Set(refused.map(({ status }) => status))
  const pages = await visit(site)
  rmSync(join(folder, 'ballast'))
  const after = await postMany(site, kept)
  await site.end()
  report.note(
    `disk full: ${first} posts found room in the files, then ${refused.length} were refused`,
  )
  report.claim(`then only 503: ${[...statuses]}`, first >= 0 && statuses.size === 1)
  const p99 = quantile(pages, 0.99)
  report.claim(`pages meanwhile, p99 ${p99.toFixed(1)} ms`, p99 < SLOWEST_PAGE)
  const works = after.every(({ status }) => status === 200)
  report.claim('all posts work once there is room, without a restart', works)
  await check(url, kept, parts)
}

async function proveReadOnly(folder: string, url: string, parts: ProofParts): Promise<void> {
  const remount = (mode: string) =>
    execFileSync('mount', ['-o', `remount,${mode}`, folder], { stdio: 'pipe' })
  const kept = new Set<string>()
  await withInbox(url, async (inbox) => {
    for await (const { reference } of listAll(inbox)) kept.add(reference)
  })
  remount('ro')
  const site = await startSite(url)
  const answers = await postMany(site, kept)
  const page = await get(site.url, '/contact')
  remount('rw')
  const after = await postMany(site, kept)
  await site.end()
  const statuses = new Set(answers.map(({ status }) => status))
  parts.report.note(`disk read-only: ${answers.length} posts`)
  parts.report.claim(`only 503: ${[...statuses]}`, statuses.size === 1 && statuses.has(503))
  parts.report.claim('pages are served', page.status === 200)
  const works = after.every(({ status }) => status === 200)
  parts.report.claim('all posts work once it can be written, without a restart', works)
  await check(url, kept, parts)
}

/** A disk that is full or read-only costs no message that was acknowledged, and no page. */
export const prove: Proof = async (parts) => {
  const folder = mkdtempSync(join(tmpdir(), 'prove-disk-'))
  if (!mount(folder)) {
    rmdirSync(folder)
    parts.report.note('SKIPPED: a small disk can be mounted by root only')
    return
  }
  const url = `sqlite:${join(folder, 'inbox.sqlite')}`
  try {
    await proveFull(folder, url, parts)
    await proveReadOnly(folder, url, parts)
  } finally {
    execFileSync('umount', [folder])
    rmdirSync(folder)
  }
}
