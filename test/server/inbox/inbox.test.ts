import { jest } from '@jest/globals'
import { InboxUnavailable, type UnavailableReason } from '../../../server/inbox/inbox.ts'
import { createInboxFacade } from '../../../server/inbox/inbox-facade.ts'
import { createReference, isReference } from '../../../server/inbox/message.ts'
import { until } from '../../../tools/harness/raw-client.ts'
import { soon } from '../../support/inbox.ts'

afterEach(() => jest.useRealTimers())

test('one probe runs at a time, however long it takes', async () => {
  jest.useFakeTimers()
  const probe = Promise.withResolvers<never>()
  let isSlow = false
  let probes = 0
  const store = {
    run: async (operation: string) => {
      if (!isSlow) return undefined as never
      if (operation !== 'probe') throw new InboxUnavailable('deadline')
      probes += 1
      return probe.promise
    },
    close: async () => {},
  }
  const inbox = createInboxFacade(store, 'somewhere', {})
  await inbox.open(soon())
  isSlow = true
  for (let second = 0; second < 5; second += 1) {
    await expect(inbox.measure(Date.now() + 1000)).rejects.toThrow('deadline')
    await jest.advanceTimersByTimeAsync(1000)
  }
  expect(probes).toBe(1)
  probe.reject(new InboxUnavailable('deadline'))
  await jest.advanceTimersByTimeAsync(1000)
  expect(probes).toBe(2)
  await inbox.close()
})

test('an inbox that cannot be read is probed, and the probe decides its state', async () => {
  let error: InboxUnavailable | undefined
  const log: string[] = []
  const note = (details: object, text: string) => log.push(text, ...Object.values(details))
  const store = {
    run: async () => {
      if (error) throw error
      return undefined as never
    },
    close: async () => {},
  }
  const inbox = createInboxFacade(store, 'somewhere', {
    log: { info: note, warn: note, error: note },
  })
  await inbox.open(soon())
  error = new InboxUnavailable('cannot-open', { cause: new TypeError('a value') })
  await expect(inbox.measure(soon())).rejects.toThrow('cannot-open')
  expect(inbox.state()).toBe('open')
  await until(async () => inbox.state() === 'unavailable')
  error = undefined
  await until(async () => inbox.state() === 'open')
  const why = ['cannot-open', expect.stringContaining('Check DATABASE_URL'), undefined, undefined]
  const [open, unavailable] = [
    ['inbox open', 'somewhere'],
    ['inbox unavailable', 'somewhere', ...why],
  ]
  expect(log).toEqual([...open, ...unavailable, ...open])
  await inbox.close()
})

test('each cause of an outage is logged once, with what to do', async () => {
  let error: InboxUnavailable | undefined
  const causes: [reason: UnavailableReason, code?: string][] = [
    ['deadline'],
    ['cannot-open', '28P01'],
    ['deadline'],
    ['cannot-open', 'ECONNREFUSED'],
    ['cannot-open', '28P01'],
  ]
  const log: unknown[] = []
  const note = (details: object) => log.push(details)
  const store = {
    run: () => (error ? Promise.reject(error) : Promise.resolve(undefined as never)),
    close: async () => {},
  }
  const inbox = createInboxFacade(store, 'p', { log: { info: () => {}, warn: note, error: note } })
  for (const outage of [causes, causes.slice(0, 1)]) {
    for (const [reason, code] of outage) {
      error = new InboxUnavailable(reason, { cause: Object.assign(new Error('why'), { code }) })
      await expect(inbox.open(soon())).rejects.toThrow(reason)
    }
    error = undefined
    await inbox.open(soon())
  }
  const late = { reason: 'deadline', explanation: expect.stringContaining('the load') }
  expect(log).toMatchObject([
    late,
    { reason: 'cannot-open', explanation: expect.stringContaining('refuses the login') },
    { reason: 'cannot-open', explanation: expect.stringContaining('Start it'), detail: 'why' },
    late,
  ])
  await inbox.close()
})

test('references have no look-alikes and do not repeat', () => {
  const references = Array.from({ length: 5000 }, createReference)
  expect(new Set(references).size).toBe(5000)
  for (const reference of references) expect(reference).toMatch(/^RG(-[2-9A-HJ-NP-Z]{5}){2}$/)
  expect(references.filter(isReference)).toEqual(references)
})
