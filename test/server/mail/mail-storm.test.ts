import { startStorm } from '../../../tools/harness/mail-storm.ts'
import { createMessage, soon } from '../inbox/messages.ts'
import { createSqlitePlace } from '../inbox/sqlite-place.ts'
import type { TestInbox as Inbox } from '../inbox/test-inbox.ts'

const MESSAGES = 16

test('two outboxes deliver everything through a server that fails half the time', async () => {
  const place = createSqlitePlace()
  const inboxes: [Inbox, Inbox] = [place.open(), place.open()]
  const [inbox] = inboxes
  const receipts = await Promise.all(
    Array.from({ length: MESSAGES }, (_, n) =>
      inbox.keep(createMessage({ message: `Message ${n}, long enough` }), soon()),
    ),
  )
  const seed = Date.now()
  const storm = await startStorm(seed)
  await storm.mailUntil(inboxes, async () => {
    const { counts } = await inbox.waiting(soon())
    return counts.mailed === MESSAGES
  })
  const { wrong } = await storm.stop(receipts.map(({ reference }) => reference))
  expect({ seed, wrong }).toEqual({ seed, wrong: [] })
  await place.close()
})
