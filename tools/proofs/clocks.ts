import { setTimeout as wait } from 'node:timers/promises'
import { createAddress, postMessage } from '../harness/client.ts'
import { MAIL_FROM, MAIL_TO } from '../harness/mail-check.ts'
import { startSmtp } from '../harness/smtp.ts'
import {
  farDeadline,
  type Proof,
  type ProofParts,
  type Stores,
  startSite,
  withInbox,
  withStores,
} from './proof.ts'

const MESSAGES = 16
const MINUTE_MS = 60_000
const SHIFT_MINUTES = 10
const WINDOW_MINUTES = 5
/** Slow enough that the other machine polls for mail during a send. */
const SMTP_DELAY_MS = 4000
const LIMIT = 2

/** Node options that shift the clock of a process. */
const setClock = (shift: number) => {
  const script = `const Right = Date; globalThis.Date = class extends Right {
    constructor(...args) { if (args.length > 0) super(...args); else super(Right.now() + ${shift}) }
    static now() { return Right.now() + ${shift} }
  }`
  return `--import=data:text/javascript,${encodeURIComponent(script)}`
}

async function proveOver(stores: Stores, shift: number, parts: ProofParts): Promise<void> {
  const { report, count = MESSAGES } = parts
  report.note(`two machines; the second clock differs by ${shift / MINUTE_MS} minutes`)
  const database = await stores.create()
  const smtp = await startSmtp({ slowness: SMTP_DELAY_MS })
  const start = (clock: number) =>
    startSite(database, {
      ignoreLog: false,
      environment: {
        CONTACT_LIMIT: String(LIMIT),
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        MAIL_FROM,
        MAIL_TO,
        CONTACT_WINDOW_MINUTES: String(WINDOW_MINUTES),
        NODE_OPTIONS: setClock(clock),
      },
    })
  const machines = [
    { shift: 0, site: await start(0) },
    { shift, site: await start(shift) },
  ] as const
  const send = (turn: number, message: string, address: string) => {
    const machine = machines[turn % 2 === 0 ? 0 : 1]
    const formStartTime = String(Date.now() + machine.shift - MINUTE_MS)
    return postMessage(machine.site.url, { message, formStartTime }, address)
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
    report.claim(
      `one address posts to both machines in turn, machine ${first + 1} first: ${statuses.join(' ')}`,
      exact,
    )
  }
  await withInbox(database, async (inbox) => {
    while ((await inbox.waiting(farDeadline())).counts.new > 0) await wait(100)
  })
  await Promise.all(machines.map(({ site }) => site.stop()))
  await smtp.stop()
  const letters = smtp.mails.map(({ raw }) => /^Message-ID: <(\S+)@/im.exec(raw)?.[1] ?? '')
  const mailed = letters.filter((id) => !id.startsWith('digest-'))
  const twice = mailed.length - new Set(mailed).size
  const missing = references.filter((reference) => !mailed.includes(reference)).length
  report.claim(`${references.length} kept, ${missing} of them not mailed`, missing === 0)
  report.claim(`${mailed.length} mails, ${twice} of them duplicates`, twice === 0)
  const lost = machines.flatMap(({ site }) =>
    site.logged.filter(({ msg }) => String(msg).includes('lease lost')),
  ).length
  report.claim(`leases lost: ${lost}`, lost === 0)
}

/** Machines with different clocks share one PostgreSQL: no mail is sent twice, and the limit of messages is exact. */
export const prove: Proof = (parts) =>
  withStores(['postgres'], async (_, stores) => {
    for (const minutes of [SHIFT_MINUTES, -SHIFT_MINUTES]) {
      await proveOver(stores, minutes * MINUTE_MS, parts)
    }
  })
