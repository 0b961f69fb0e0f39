import { runCli } from '../../../server/inbox/cli.ts'
import { composeMessage } from '../../../server/mail/message-letter.ts'
import { mapFields, TYPED_FIELDS } from '../../../shared/contact-fields.ts'
import { en } from '../../../shared/content/index.ts'
import type { ServiceId } from '../../../shared/sectors.ts'
import { PERIODS } from '../../support/inbox.ts'
import { findStored, get, send, setUpSite, site } from '../setup.ts'

setUpSite()

const SERVICE: ServiceId = 'francophone'

const VALUES = mapFields((name, { kind }) =>
  kind === 'choice' ? SERVICE : kind === 'email' ? `${name}@exemple.ca` : `le champ ${name}`,
)

async function runInbox(...args: string[]): Promise<string> {
  const written: string[] = []
  const write = (text: string) => void written.push(text)
  // The command closes its store.
  const store = { ...site.store, async close() {} }
  await runCli(args, { open: () => ({ store, periods: PERIODS }), write, writeError: write })
  return written.join('')
}

test.each(TYPED_FIELDS)(
  '%s is in the form, the store, the mail, `show` and both exports',
  async (name) => {
    const { text: page } = await get('/contact')
    const field = new RegExp(`<(input|select|textarea)[^>]* name="${name}"`)
    expect(field.test(page)).toBe(true)
    const { body } = await send({ ...VALUES, message: `${VALUES.message} ${name}` })
    const stored = await findStored(body.reference)
    if (!stored) throw new Error('The message was not stored')
    expect(stored[name]).toContain(VALUES[name])
    const { subject, text } = composeMessage(stored, PERIODS)
    const shown = VALUES[name] === SERVICE ? en.contact.form.services[SERVICE] : VALUES[name]
    expect(subject + text).toContain(shown)
    expect(await runInbox('show', body.reference)).toContain(VALUES[name])
    for (const format of ['jsonl', 'csv']) {
      const exported = await runInbox('export', '--format', format)
      expect(exported).toContain(name)
      expect(exported).toContain(VALUES[name])
    }
  },
)
