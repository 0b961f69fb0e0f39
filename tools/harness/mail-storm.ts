import { setTimeout as wait } from 'node:timers/promises'
import type { Inbox } from '../../server/inbox/inbox.ts'
import { createMailer, type Mailer } from '../../server/mail/mailer.ts'
import { createOutbox } from '../../server/mail/outbox.ts'
import type { OutboxPace } from '../../server/mail/schedule.ts'
import { createLines } from '../../test/support/fake-mailer.ts'
import { createCertificate } from './certificate.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO, parseMail } from './mail-check.ts'
import { createRandom } from './random.ts'
import { FAULTS, findClosedPort, type ReceivedMail } from './smtp.ts'
import { startStormServer } from './storm-server.ts'

const TIMEOUTS = { connectionMs: 8000, greetingMs: 4000, silenceMs: 4000, totalMs: 10_000 }

const PACE: OutboxPace = {
  maxConcurrentSends: 8,
  leaseMs: 60_000,
  maxRestMs: 100,
  minRestMs: 5,
  queueTimeoutMs: 60_000,
  retries: { firstMs: 10, maxMs: 200, lifetimeMs: 3_600_000 },
  pauses: { firstMs: 5, maxMs: 20 },
}

export interface StormResult {
  /** How many connections met each fault; `refused` and `none` included. */
  met: Record<string, number>
  deliveries: number
  duplicates: number
  /** What must not be; empty when all is well. */
  wrong: string[]
}

export interface Storm {
  port: number
  /** Mails what is in inboxes that share a store, by an outbox each, in a hurry. */
  mailUntil(inboxes: Inbox[], isDone: () => Promise<boolean>): Promise<void>
  /** Ends the server, and judges what it received of these messages. */
  stop(references: string[]): Promise<StormResult>
}

/** What no fault explains: all deliveries of a mail but the last must have been accepted in vain. */
function findUnexplained(deliveries: ReceivedMail[]): string[] {
  const wrong = deliveries.flatMap((mail) => findMailFaults(mail))
  const explained = deliveries.slice(0, -1).every(({ fault }) => fault?.startsWith('accept then'))
  if (!explained) wrong.push('a duplicate without a reason')
  if (deliveries.at(-1)?.fault?.startsWith('accept then')) {
    wrong.push('noted as mailed though the answer was lost')
  }
  return wrong
}

function findId({ raw }: ReceivedMail): string {
  const id = Object.fromEntries(parseMail(raw).headers)['Message-ID'] ?? ''
  return id.slice(1, id.indexOf('@'))
}

/** A mail server that fails half the time in every way, and what mails through it. */
export async function startStorm(seed: number): Promise<Storm> {
  const random = createRandom(seed)
  const certificate = createCertificate()
  const server = await startStormServer({ seed, certificate })
  const mailTo = (port: number) =>
    createMailer({
      server: { host: '127.0.0.1', port, tls: 'starttls' },
      from: MAIL_FROM,
      to: MAIL_TO,
      senderName: 'Groupe RG',
      timeouts: TIMEOUTS,
      ca: certificate.cert,
    })
  const open = mailTo(server.port)
  const closed = mailTo(await findClosedPort())
  let refused = 0
  const mailer: Mailer = {
    send(letter, signal) {
      // As often as any other fault.
      if (random() >= 0.5 / FAULTS.length) return open.send(letter, signal)
      refused += 1
      return closed.send(letter, signal)
    },
  }

  return {
    port: server.port,
    async mailUntil(inboxes, isDone) {
      const { log } = createLines()
      const outboxes = inboxes.map((queue) => createOutbox({ queue, mailer, log, pace: PACE }))
      for (const outbox of outboxes) outbox.start()
      while (!(await isDone())) await wait(50)
      await Promise.all(outboxes.map((outbox) => outbox.stop(5000)))
    },
    async stop(references) {
      const { mails, met } = await server.stop()
      // A site that runs beside may have sent its digest.
      const letters = mails.filter((mail) => !findId(mail).startsWith('digest-'))
      const deliveries = Map.groupBy(letters, findId)
      const missing = references.filter((reference) => !deliveries.has(reference))
      const unknown = deliveries.size - references.length + missing.length
      const wrong = [
        ...missing.map(() => 'never delivered'),
        ...(unknown > 0 ? [`${unknown} deliveries of unknown messages`] : []),
        ...[...deliveries.values()].flatMap(findUnexplained),
      ]
      const duplicates = letters.length - deliveries.size
      return { met: { ...met, refused }, deliveries: letters.length, duplicates, wrong }
    },
  }
}
