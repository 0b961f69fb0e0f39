import { EXPORT_FORMATS } from '../../../server/inbox/command/export-formats.ts'
import { formatMessage } from '../../../server/inbox/command/format.ts'
import { WORDS } from '../../../server/inbox/command/words.ts'
import { composeMessage } from '../../../server/mail/message-letter.ts'
import { mapFields, TYPED_FIELDS } from '../../../shared/contact-fields.ts'
import { en } from '../../../shared/content/index.ts'
import type { ServiceId } from '../../../shared/sectors.ts'
import { PERIODS } from '../../support/inbox.ts'
import { findStored, get, send, setUpSite } from '../setup.ts'

setUpSite()

const SERVICE: ServiceId = 'francophone'

const VALUES = mapFields((name, { kind }) =>
  kind === 'choice' ? SERVICE : kind === 'email' ? `${name}@exemple.ca` : `le champ ${name}`,
)

test.each(TYPED_FIELDS)(
  '%s is in the form, the store, the mail, `show` and both exports',
  async (name) => {
    expect((await get('/contact')).text).toMatch(
      new RegExp(`<(input|select|textarea)[^>]* name="${name}"`),
    )
    const { body } = await send({ ...VALUES, message: `${VALUES.message} ${name}` })
    const stored = await findStored(body.reference)
    if (!stored) throw new Error('The message was not stored')
    expect(stored[name]).toContain(VALUES[name])
    const { subject, text } = composeMessage(stored, PERIODS)
    const shown = VALUES[name] === SERVICE ? en.contact.form.services[SERVICE] : VALUES[name]
    expect(subject + text).toContain(shown)
    expect(formatMessage(stored, undefined, WORDS.en)).toContain(shown)
    for (const { header, formatRow } of Object.values(EXPORT_FORMATS)) {
      expect(header + formatRow(stored)).toContain(name)
      expect(formatRow(stored)).toContain(VALUES[name])
    }
  },
)
