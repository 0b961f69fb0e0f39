import type { Logger } from '../../server/log.ts'
import { MailError, type Mailer } from '../../server/mail/mailer.ts'
import type { OutgoingMail } from '../../server/mail/message-mail.ts'

export const LATER = () => new MailError('451 Bonjour', 'EMESSAGE DATA 451')
export const MISCONFIGURED = () => new MailError('Invalid login', 'EAUTH', 'SMTP_URL')

/** A mailer that accepts every mail at once; a test replaces `answer` to change this. */
export class FakeMailer implements Mailer {
  sent: { at: number; mail: OutgoingMail }[] = []
  /** Number of sends in progress. */
  now = 0
  answer: (mail: OutgoingMail) => Promise<string> = async () => '250 OK'

  async send(mail: OutgoingMail, signal?: AbortSignal): Promise<string> {
    this.sent.push({ at: Date.now(), mail })
    this.now += 1
    const broken = Promise.withResolvers<string>()
    signal?.addEventListener('abort', () => broken.reject(LATER()))
    try {
      return await Promise.race([this.answer(mail), broken.promise])
    } finally {
      this.now -= 1
    }
  }

  timesOf(id: string): number[] {
    return this.sent.filter(({ mail }) => mail.id === id).map(({ at }) => at)
  }
}

/** A log that keeps its lines as [level, text, fields]. */
export function createLines(): { lines: [string, string, object][]; log: Logger } {
  const lines: [string, string, object][] = []
  const create = (bindings: object): object => {
    const keep = (level: string) => (fields: object | string, text: string) => {
      if (typeof fields === 'string') lines.push([level, fields, bindings])
      else lines.push([level, text, { ...bindings, ...fields }])
    }
    const child = (more: object) => create({ ...bindings, ...more })
    return { info: keep('info'), warn: keep('warn'), error: keep('error'), child }
  }
  return { lines, log: create({}) as Logger }
}
