import { setTimeout as wait } from 'node:timers/promises'
import { MAIL_FROM, MAIL_TO } from '../harness/mail-check.ts'
import { startSmtp } from '../harness/smtp.ts'
import { createAddress, post } from './client.ts'
import type { Proof, ProofParts } from './main.ts'
import { startSite } from './site.ts'
import { patiently, type Stores, withInbox, withStores } from './stores.ts'

const MESSAGES = 16
const MINUTE = 60_000
const ERROR_MINUTES = 10
const WINDOW_MINUTES = 5
/** The other machine looks for mail while the mail server takes so long to answer. */
const SMTP_DELAY_MS = 4000
const LIMIT = 2

/** Node options that set the clock of a process wrong. */
const setClock = (error: number) => {
  const script = `const Right = Date; globalThis.Date = class extends Right {
    constructor(...args) { if (args.length > 0) super(...args); else super(Right.now() + ${error}) }
    static now() { return Right.now() + ${error} }
  }`
  return `--import=data:text/javascript,${encodeURIComponent(script)}`
}

async function proveOver(stores: Stores, error: number, parts: ProofParts): Promise<void> {
  const { report, count = MESSAGES } = parts
  report.note(`two machines, the second ${error / MINUTE} minutes from the first`)
  const url = await stores.create()
  const smtp = await startSmtp({ slowness: SMTP_DELAY_MS })
  let lost = 0
  const start = (clock: number) =>
    startSite(url, {
      limit: LIMIT,
      environment: {
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        MAIL_FROM,
        MAIL_TO,
        CONTACT_WINDOW_MINUTES: String(WINDOW_MINUTES),
        NODE_OPTIONS: setClock(clock),
      },
      onLine: (line) => {
        if (line.includes('lease lost')) lost += 1
      },
    })
  const machines = [
    { error: 0, site: await start(0) },
    { error, site: await start(error) },
  ] as const
  const send = (turn: number, message: string, address: string) => {
    const machine = machines[turn % 2 === 0 ? 0 : 1]
    const formStartTime = String(Date.now() + machine.error - MINUTE)
    return post(machine.site.url, { message, formStartTime }, address)
  }

  const references: string[] = []
  for (let number = 0; number < count; number++) {
    const { reference } = await send(number, `Message ${number}, long enough`, createAddress())
    if (reference) references.push(reference)
  }
  for (const first of [0, 1]) {
    const address = createAddress()
    const statuses: number[] = []
    for (let number = 0; number < LIMIT + 2; number++) {
      const answer = await send(first + number, `Again ${first} ${number}, long`, address)
      statuses.push(answer.status)
      if (answer.reference) references.push(answer.reference)
    }
    const exact = statuses.filter((status) => status === 200).length === LIMIT
    report.claim(`one address, by turns, machine ${first + 1} first: ${statuses.join(' ')}`, exact)
  }
  await withInbox(url, async (inbox) => {
    while ((await inbox.waiting(patiently())).counts.new > 0) await wait(100)
  })
  await Promise.all(machines.map(({ site }) => site.end('SIGTERM')))
  await smtp.stop()
  const letters = smtp.mails.map(({ raw }) => /^Message-ID: <(\S+)@/im.exec(raw)?.[1] ?? '')
  const mailed = letters.filter((id) => !id.startsWith('digest-'))
  const twice = mailed.length - new Set(mailed).size
  const missing = references.filter((reference) => !mailed.includes(reference)).length
  report.claim(`${references.length} kept, ${missing} of them not mailed`, missing === 0)
  report.claim(`${mailed.length} letters, ${twice} of them again`, twice === 0)
  report.claim(`leases lost: ${lost}`, lost === 0)
}

/** Machines whose clocks differ share one PostgreSQL: nothing goes twice, and the limit holds. */
export const prove: Proof = (parts) =>
  withStores(['postgres'], async (_, stores) => {
    for (const minutes of [ERROR_MINUTES, -ERROR_MINUTES]) {
      await proveOver(stores, minutes * MINUTE, parts)
    }
  })
