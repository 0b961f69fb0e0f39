import { createMailer } from '../../server/mail/mailer.ts'
import { composeMessage } from '../../server/mail/message-letter.ts'
import { createHostileMessage } from '../harness/hostile-messages.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from '../harness/mail-check.ts'
import { startSmtp } from '../harness/smtp.ts'
import type { Proof } from './main.ts'

const MESSAGES = 20_000
// The server makes each connection wait for 100 ms.
const AT_ONCE = 100

/** Messages made of what breaks headers, each looked at as the mail server received it. */
export const prove: Proof = async ({ random, report, count = MESSAGES }) => {
  const smtp = await startSmtp()
  const server = { host: '127.0.0.1', port: smtp.port, tls: 'off' } as const
  const mailer = createMailer({ server, from: MAIL_FROM, to: MAIL_TO, senderName: 'Groupe RG' })
  const faults = new Map<string, number>()
  let sent = 0
  let received = 0

  async function sendSome(): Promise<void> {
    while (sent < count) {
      sent += 1
      await mailer.send(composeMessage(createHostileMessage(random, sent)))
      for (const mail of smtp.mails.splice(0)) {
        received += 1
        for (const fault of findMailFaults(mail)) faults.set(fault, (faults.get(fault) ?? 0) + 1)
      }
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, sendSome))
  await smtp.stop()
  report.claim(`${received} of ${count} mails received`, received === count)
  const found = [...faults].map(([fault, times]) => `${fault} ${times} times`).join(', ')
  report.claim(`wrong recipients, headers or lines: ${found || 'none'}`, faults.size === 0)
}
