import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MAIL_FROM, MAIL_TO } from '../harness/mail-check.ts'
import { pick } from '../harness/random.ts'
import { until } from '../harness/raw-client.ts'
import { FAULTS, type Fault, startSmtp } from '../harness/smtp.ts'
import { createAddress, post } from './client.ts'
import type { Proof } from './main.ts'
import { CANARY, sendMixed } from './mixed-requests.ts'
import { type Site, startSite } from './site.ts'
import { withStores } from './stores.ts'

const REQUESTS = 5000
const AT_ONCE = 16
const PATIENCE = 10_000

const CRASHING_RENDERS = join(import.meta.dirname, 'crashing-renders.ts')

/** The addresses of all visitors, whole. */
const ADDRESS = /198\.1[89]\.\d+\.(?!0\/24)\d+/
const FORBIDDEN = new RegExp(`${CANARY}|${ADDRESS.source}`, 'i')

/** What the log must tell of, or nothing was proved. */
const TOLD = [
  'answered',
  'answered with a server error',
  'a message was not kept',
  'a page could not be rendered',
  'a script failed in a browser',
  'a message could not be mailed yet',
  'inbox unavailable',
  'failed',
]
const STATUSES = [200, 204, 303, 308, 400, 403, 404, 405, 413, 415, 500, 503]

/** Makes the database sick; what it gives back cures it. */
type Sickness = (path: string) => () => void

/** Another process holds the write lock. */
const lock: Sickness = (path) => {
  const database = new DatabaseSync(path, { timeout: PATIENCE })
  database.exec('BEGIN IMMEDIATE')
  return () => database.close()
}

/** Something else lies where the database was. */
const damage: Sickness = (path) => {
  renameSync(path, `${path}.aside`)
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
  writeFileSync(path, 'This is no database. '.repeat(1000))
  return () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    renameSync(`${path}.aside`, path)
  }
}

/** Mail fails mostly, but seldom by our settings: then the outbox would pause, and try no more. */
function pickFault(random: () => number): Fault | undefined {
  if (random() < 0.02) return '550'
  return random() < 0.7
    ? pick(
        random,
        FAULTS.filter((fault) => fault !== '550'),
      )
    : undefined
}

async function sendAll(site: Site, count: number, random: () => number): Promise<void> {
  let sent = 0
  const sendSome = async () => {
    while (sent < count) {
      sent += 1
      // A connection may be closed under a body that is too large.
      await sendMixed(site.url, random).catch(() => {})
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome))
}

const comes = (holds: () => boolean | Promise<boolean>) =>
  until(holds, PATIENCE).then(
    () => true,
    () => false,
  )

/** Whatever visitors send and whatever fails meanwhile: nothing that they wrote is written down. */
export const prove: Proof = ({ random, report, count = REQUESTS }) =>
  withStores(['sqlite'], async (_, stores) => {
    const url = await stores.create()
    const lines: string[] = []
    const said = (text: string) => lines.filter((line) => line.includes(`"msg":"${text}"`)).length
    // Whatever the mix is, a mail fails.
    const hasFailed = () => said('a message could not be mailed yet') > 0
    const smtp = await startSmtp({ getFault: () => (hasFailed() ? pickFault(random) : '451') })
    const environment = {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM,
      MAIL_TO,
      METRICS_PORT: '0',
      LOG_LEVEL: 'trace',
      NODE_OPTIONS: `--import=${CRASHING_RENDERS}`,
    }
    const site = await startSite(url, { environment, onLine: (line) => lines.push(line) })
    await post(site.url, { firstName: 'Zqxfirst' }, createAddress())
    await sendAll(site, Math.ceil(count / 2), random)
    await comes(hasFailed)
    const keep = async (firstName: string) =>
      (await post(site.url, { firstName }, createAddress())).status
    for (const makeSick of [lock, damage]) {
      const cure = makeSick(url.slice('sqlite:'.length))
      // However slow the machine and whatever the mix is, a message comes meanwhile.
      const refused = comes(async () => (await keep('Zqxsick')) === 503).finally(cure)
      await Promise.all([sendAll(site, Math.ceil(count / 4), random), refused])
    }
    const lives = await comes(async () => (await keep('Zqxafter')) === 200)
    const metrics = await site.readMetrics()
    const code = await site.end('SIGUSR2')
    await smtp.stop()

    const found = lines.filter((line) => FORBIDDEN.test(line))
    const told = TOLD.map((text) => `${text} ${said(text)}`).join(', ')
    report.note(`${count} requests; ${lines.length} lines: ${told}`)
    report.claim(
      `every kind of error was met`,
      TOLD.every((text) => said(text) > 0),
    )
    const statuses = new Set(lines.map((line) => Number(/"status":(\d+)/.exec(line)?.[1] ?? 0)))
    const missing = STATUSES.filter((each) => !statuses.has(each))
    report.claim(
      `answers of every status; missing: ${missing.join(' ') || 'none'}`,
      missing.length === 0,
    )
    report.claim('the site lives and keeps messages afterwards', lives)
    const last = said('an error that nobody caught: the process stops')
    report.claim(`an error that nobody caught is told once, exit ${code}`, last === 1 && code === 1)
    const kinds = new Set(
      found.map((line) => /"msg":"([^"]*)/.exec(line)?.[1] ?? line.slice(0, 200)),
    )
    const where = found.length > 0 ? ` in: ${[...kinds].join(', ')}` : ''
    report.claim(`lines with a name, e-mail, message or address: ${found.length}${where}`, !where)
    report.claim('nor stands any in the metrics', !FORBIDDEN.test(metrics))
  })
