import { createMailer } from '../server/inbox/mailer.ts'
import { composeMessage } from '../server/inbox/message-letter.ts'
import { createHostileMessage } from '../test/helpers/hostile-messages.ts'
import { findMailFaults, MAIL_FROM, MAIL_TO } from '../test/helpers/mail-check.ts'
import { createRandom } from '../test/helpers/random.ts'
import { startSmtp } from '../test/helpers/smtp.ts'

const MESSAGES = 20_000
// The server makes each connection wait for 100 ms.
const AT_ONCE = 100

/** Mails messages made of what breaks headers, and looks at each as the server received it. */
export async function prove(): Promise<void> {
  const seed = Date.now()
  const random = createRandom(seed)
  const smtp = await startSmtp()
  const server = { host: '127.0.0.1', port: smtp.port, tls: 'off' } as const
  const mailer = createMailer({ server, from: MAIL_FROM, to: MAIL_TO, senderName: 'Groupe RG' })
  const begin = performance.now()
  const faults = new Map<string, number>()
  let sent = 0
  let received = 0

  async function sendSome(): Promise<void> {
    while (sent < MESSAGES) {
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
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`seed ${seed}: ${MESSAGES} messages sent, ${received} mails looked at, ${seconds} s`)
  console.log('each: recipient exactly MAIL_TO, the same 10 headers, one Reply-To, our own lines')
  if (received !== MESSAGES) throw new Error('Some mails did not arrive')
  if (faults.size > 0) throw new Error(`Not as it should be: ${JSON.stringify([...faults])}`)
}
