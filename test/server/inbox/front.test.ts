import { createFront } from '../../../server/inbox/front.ts'
import { InboxUnavailable } from '../../../server/inbox/inbox.ts'
import { until } from '../../helpers/raw.ts'
import { soon } from './messages.ts'

test('an inbox that cannot be read is probed, and what the probe says is its state', async () => {
  let isSick = false
  const log: string[] = []
  const note = (_: object, text: string) => log.push(text)
  const store = {
    run: async () => {
      if (isSick) throw new InboxUnavailable('cannot-open')
      return undefined as never
    },
    close: async () => {},
  }
  const inbox = createFront(store, 'somewhere', { log: { info: note, warn: note } })
  await inbox.open(soon())
  isSick = true
  await expect(inbox.measure(soon())).rejects.toThrow('cannot-open')
  expect(inbox.state()).toBe('open')
  await until(async () => inbox.state() === 'unavailable')
  isSick = false
  await until(async () => inbox.state() === 'open')
  expect(log).toEqual(['inbox open', 'inbox unavailable', 'inbox open'])
  await inbox.close()
})
