import type { Inbox } from '../../../server/inbox/inbox.ts'
import { runStorm } from '../../helpers/mail-storm.ts'
import { createMessage, soon } from './messages.ts'
import { createSqlitePlace } from './sqlite-place.ts'

test('two outboxes deliver everything through a server that fails half the time', async () => {
  const place = createSqlitePlace()
  const inboxes: [Inbox, Inbox] = [place.open(), place.open()]
  const [inbox] = inboxes
  const receipts = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      inbox.keep(createMessage({ message: `Message ${n}, long enough` }), soon()),
    ),
  )
  const references = receipts.map(({ reference }) => reference)
  const seed = Date.now()
  const { wrong } = await runStorm(inboxes, seed, async () => {
    const { counts } = await inbox.waiting(soon())
    return counts.mailed === references.length ? references : undefined
  })
  expect({ seed, wrong }).toEqual({ seed, wrong: [] })
  await place.close()
}, 60_000)
