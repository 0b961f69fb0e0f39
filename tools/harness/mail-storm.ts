import { setTimeout as wait } from 'node:timers/promises'
import type { Inbox } from '../../server/inbox/inbox.ts'
import { createLog } from '../../server/log.ts'
import { createMailer } from '../../server/mail/mailer.ts'
import { createOutbox, type OutboxPace } from '../../server/mail/outbox.ts'
import { createTransport } from '../../server/mail/transport.ts'
import { QUARANTINE_DAYS, RETENTION_DAYS } from '../../shared/retention.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from './mail-check.ts'
import { createRandom, pick } from './numbers.ts'
import { CERTIFICATE, type ReceivedMail, SMTP_ERRORS, startSmtp } from './smtp.ts'

const TIMEOUTS = { connectionMs: 8000, greetingMs: 4000, silenceMs: 4000 }

const PERIODS = { retentionDays: RETENTION_DAYS, quarantineDays: QUARANTINE_DAYS }

const PACE: OutboxPace = {
  maxConcurrentSends: 8,
  leaseMs: 60_000,
  maxRestMs: 100,
  minRestMs: 5,
  queueTimeoutMs: 60_000,
  retries: { firstMs: 10, maxMs: 200, maxTries: 1000 },
  pauses: { firstMs: 5, maxMs: 20 },
}

/** A mail may be delivered again only if the answer to the previous delivery was lost. */
function findUnexplained(deliveries: ReceivedMail[]): string[] {
  const wrong = deliveries.flatMap((mail) => findMailFaults(mail))
  const explained = deliveries
    .slice(0, -1)
    .every(({ smtpError }) => smtpError?.startsWith('accept then'))
  if (!explained) wrong.push('delivered again without a reason')
  if (deliveries.at(-1)?.smtpError?.startsWith('accept then')) {
    wrong.push('recorded as mailed though the answer was lost')
  }
  return wrong
}

const findId = ({ email }: ReceivedMail) => email.messageId?.replace(/<(.*)@.*/, '$1') ?? ''

/** Starts a mail server on which half of the connections fail, each with a random error of SMTP_ERRORS. */
export async function startStorm(seed: number) {
  const random = createRandom(seed)
  const server = await startSmtp({
    chooseError: () => (random() < 0.5 ? pick(random, SMTP_ERRORS) : undefined),
  })
  const transport = createTransport({
    server: { host: '127.0.0.1', port: server.port, tls: 'starttls' },
    timeouts: TIMEOUTS,
    ca: CERTIFICATE,
  })
  const mailer = createMailer({ transport, from: MAIL_FROM, to: MAIL_TO, timeoutMs: 10_000 })

  return {
    port: server.port,
    /** Mails the messages of inboxes that share a store, each with a fast outbox, until `checkDone` says so. */
    async mailUntil(inboxes: Inbox[], checkDone: () => Promise<boolean>): Promise<void> {
      const log = createLog('silent')
      const outboxes = inboxes.map((queue) =>
        createOutbox({ queue, mailer, log, periods: PERIODS, pace: PACE }),
      )
      for (const outbox of outboxes) outbox.start()
      while (!(await checkDone())) await wait(50)
      await Promise.all(outboxes.map((outbox) => outbox.stop(5000)))
    },
    /** Stops the server and checks the received mails of these messages; `wrong` must be empty. */
    async stop(references: string[]) {
      await server.stop()
      // Ignore the digest, which a running site may have sent.
      const letters = server.mails.filter((mail) => !findId(mail).startsWith('digest-'))
      const deliveries = Map.groupBy(letters, findId)
      const missing = references.filter((reference) => !deliveries.has(reference))
      const unknown = deliveries.size - references.length + missing.length
      const wrong = [
        ...missing.map(() => 'never delivered'),
        ...(unknown > 0 ? [`${unknown} deliveries of unknown messages`] : []),
        ...[...deliveries.values()].flatMap(findUnexplained),
      ]
      return { deliveries: letters.length, wrong }
    },
  }
}
