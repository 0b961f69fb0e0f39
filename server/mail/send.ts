import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { loadConfig } from '../config.ts'
import { createMailer } from './mailer.ts'

/** A test mail: sends standard input to MAIL_TO. */
async function send(subject: string): Promise<string> {
  const { mail } = loadConfig(process.env)
  if (!mail) throw new Error('SMTP_URL, MAIL_FROM and MAIL_TO are not set.')
  const outgoing = { id: randomUUID(), subject, text: await text(process.stdin), isAutomatic: true }
  return createMailer(mail).send(outgoing)
}

try {
  console.log(await send(process.argv[2] ?? ''))
} catch (error) {
  console.error(Error.isError(error) ? error.message : error)
  process.exitCode = 1
}
