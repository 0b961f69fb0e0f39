/** `npm run bench` compares the built site with a small Express app, and runs Lighthouse; `npm run bench -- NAME…` only some of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { mapKeys } from '../../shared/format.ts'
import { pages } from '../../shared/pages.ts'
import { provideChromium } from '../harness/browser.ts'
import { VALID } from '../harness/client.ts'
import { endProcess, readLine, run, startProgram, startSiteProcess } from '../harness/process.ts'

const AUTOCANNON = 'autocannon@9.0.0'
const LIGHTHOUSE = 'lighthouse@13.5.0'
/** Each figure is a median of so many rounds; of Lighthouse, the worst median of a page. */
const ROUNDS = { load: 5, lighthouse: 3 }
const SECONDS = '4'

type Figure = [name: string, sign: '≥' | '≤', limit: number, value: number]

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

async function runPackage(name: string, args: string[], environment = {}) {
  const { status, stdout, stderr } = await run('npx', ['--yes', name, ...args], environment)
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
  return JSON.parse(stdout)
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
let databases = 0
const createPath = () => join(folder, `${++databases}.sqlite`)

async function startSite() {
  const DATABASE_URL = `sqlite:${createPath()}`
  const environment = { HOST: '127.0.0.1', DATABASE_URL, CONTACT_LIMIT: '1000000' }
  const { url, stop } = await startSiteProcess({ environment, ignoreLog: true })
  return { url, stop: () => stop('SIGKILL') }
}

async function startPeer(site: string) {
  const args = ['tools/bench/peer.ts', site, createPath()]
  const child = startProgram(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await readLine(child.stdout, /"port":(\d+)/)
  return { url: `http://127.0.0.1:${port}`, stop: () => endProcess(child) }
}

/** Loads the site and its peer in turn; resolves to the median of the ratios of their answers a second. */
async function compare(path: string, options: string[]): Promise<number> {
  async function load(url: string): Promise<number> {
    const args = ['--json', '--duration', SECONDS, ...options, url + path]
    const { requests, errors, non2xx } = await runPackage(AUTOCANNON, args)
    if (errors + non2xx > 0) throw new Error(`${url}: ${errors} errors, ${non2xx} refusals`)
    return requests.average
  }
  const site = await startSite()
  const peer = await startPeer(site.url)
  const ratios: number[] = []
  for (const { url } of [site, peer]) await load(url)
  while (ratios.length < ROUNDS.load) ratios.push((await load(site.url)) / (await load(peer.url)))
  await Promise.all([site.stop(), peer.stop()])
  return median(ratios)
}

/** Runs Lighthouse with its default settings, which simulate a phone. */
async function audit(url: string) {
  const options = ['--output=json', '--quiet', '--chrome-flags=--headless=new --no-sandbox']
  const environment = { CHROME_PATH: provideChromium() }
  const { categories, audits } = await runPackage(LIGHTHOUSE, [url, ...options], environment)
  const getScore = (name: string) => Math.round(100 * categories[name].score)
  return {
    performance: getScore('performance'),
    others: Math.min(...['accessibility', 'best-practices', 'seo'].map(getScore)),
    paint: audits['largest-contentful-paint'].numericValue / 1000,
    shift: audits['cumulative-layout-shift'].numericValue,
    blocking: audits['total-blocking-time'].numericValue,
  }
}
type Audit = Awaited<ReturnType<typeof audit>>
const AUDITS = ['performance', 'others', 'paint', 'shift', 'blocking'] as const

const pageRows: string[] = []

/** Audits each page of content; keeps the medians of a page as a row, and the worst of them as figures. */
async function auditPages(): Promise<Figure[]> {
  const site = await startSite()
  const medians: Audit[] = []
  for (const { path, indexed } of pages) {
    if (!path || !indexed) continue
    const runs: Audit[] = []
    while (runs.length < ROUNDS.lighthouse) runs.push(await audit(site.url + path))
    const page = mapKeys(AUDITS, (name) => median(runs.map((each) => each[name])))
    const { performance, others, paint, shift, blocking } = page
    const cells = [
      path,
      performance,
      others,
      paint.toFixed(2),
      shift.toFixed(3),
      Math.round(blocking),
    ]
    pageRows.push(`| ${cells.join(' | ')} |`)
    medians.push(page)
  }
  await site.stop()
  const least = (name: keyof Audit) => Math.min(...medians.map((each) => each[name]))
  const most = (name: keyof Audit) => Math.max(...medians.map((each) => each[name]))
  return [
    ['Lighthouse, performance', '≥', 97, least('performance')],
    ['Lighthouse, accessibility, best practices and SEO', '≥', 100, least('others')],
    ['Lighthouse, largest contentful paint, s', '≤', 1.4, most('paint')],
    ['Lighthouse, cumulative layout shift', '≤', 0.05, most('shift')],
  ]
}

const GET = ['--connections', '50', '--headers', 'Accept-Encoding=br']
const MESSAGE = JSON.stringify({ ...VALID, message: 'Une question, numéro [<id>]' })
const POST = [
  ...['--connections', '4', '--method', 'POST', '--headers', 'Content-Type=application/json'],
  ...['--idReplacement', '--body', MESSAGE],
]

const BENCHMARKS: Record<string, () => Promise<Figure[]>> = {
  async get() {
    const ratio = await compare('/', GET)
    return [['GET / from the cache, answers a second, of the peer', '≥', 0.6, ratio]]
  },
  async post() {
    const ratio = await compare('/api/contact', POST)
    return [['messages stored, answers a second, of the peer', '≥', 0.2, ratio]]
  },
  lighthouse: auditPages,
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHMARKS)
const figures: Figure[] = []
for (const name of names) figures.push(...((await BENCHMARKS[name]?.()) ?? []))
rmSync(folder, { recursive: true })
const isMet = ([, sign, limit, value]: Figure) => (sign === '≥' ? value >= limit : value <= limit)
const rows = figures.map((figure) => {
  const [name, sign, limit, value] = figure
  return `| ${name} | ${value.toFixed(2)} | ${sign} ${limit} | ${isMet(figure) ? '' : 'NOT MET'} |`
})
const machine = `${availableParallelism()} cores of ${cpus()[0]?.model}, ${process.platform}`
console.log(`
Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}, ${machine}.

| figure | measured | limit | |
|---|--:|--:|---|
${rows.join('\n')}`)
if (pageRows.length > 0)
  console.log(`
| page | performance | the other three | largest contentful paint, s | layout shift | blocked, ms |
|---|--:|--:|--:|--:|--:|
${pageRows.join('\n')}`)
process.exitCode = figures.every(isMet) ? 0 : 1
