import { jest } from '@jest/globals'
import type { Digest, Message } from '../../../server/inbox/inbox.ts'
import { composeDigest } from '../../../server/mail/digest-letter.ts'
import { describeMessage } from '../../../server/mail/message-letter.ts'
import { createOutbox } from '../../../server/mail/outbox.ts'
import { FakeMailQueue } from '../../support/fake-mail-queue.ts'
import { createLines, FakeMailer, LATER, REFUSED } from '../../support/fake-mailer.ts'
import { createStored, HOUR_MS } from '../../support/inbox.ts'

describe('the daily letter', () => {
  let queue: FakeMailQueue
  let mailer: FakeMailer
  let kept: ReturnType<typeof createLines>
  let outboxes: ReturnType<typeof createOutbox>[]

  beforeEach(() => {
    jest.useFakeTimers()
    jest.spyOn(Math, 'random').mockReturnValue(0)
    queue = new FakeMailQueue()
    queue.hasDigests = true
    mailer = new FakeMailer()
    kept = createLines()
    outboxes = []
  })
  afterEach(async () => {
    await stopAll()
    jest.useRealTimers()
    jest.restoreAllMocks()
  })

  function start(): void {
    const outbox = createOutbox({ queue, mailer, log: kept.log })
    outboxes.push(outbox)
    outbox.start()
  }

  async function stopAll(): Promise<void> {
    const stopped = outboxes.splice(0).map((outbox) => outbox.stop(0))
    await pass(0)
    await Promise.all(stopped)
  }

  const pass = (duration: number) => jest.advanceTimersByTimeAsync(duration)
  const listSent = () =>
    mailer.sent.map(({ at, letter }) => [new Date(at).toISOString().slice(0, 16), letter.id])

  test('is mailed every day at eight in the morning in Toronto, summer and winter', async () => {
    for (const minuteBefore of ['2026-10-31T11:59:00Z', '2026-11-01T12:59:00Z']) {
      jest.setSystemTime(Date.parse(minuteBefore))
      start()
      await pass(HOUR_MS)
    }
    expect(listSent()).toEqual([
      ['2026-10-31T12:00', 'digest-2026-10-31'],
      ['2026-11-01T13:00', 'digest-2026-11-01'],
    ])
    expect(kept.lines[0]).toEqual(['info', 'daily letter mailed', { date: '2026-10-31' }])
  })

  test('is mailed at a start later in the day, once over all processes and restarts', async () => {
    jest.setSystemTime(Date.parse('2026-05-04T20:00:00Z'))
    start()
    start()
    await pass(HOUR_MS)
    start()
    await pass(HOUR_MS)
    expect(listSent()).toEqual([['2026-05-04T20:00', 'digest-2026-05-04']])
  })

  test('is tried again ever more rarely and, once refused, without the texts, whoever sends it', async () => {
    jest.setSystemTime(Date.parse('2026-05-04T12:00:00Z'))
    await queue.add('RG-1', 'dead')
    for (const error of [LATER(), REFUSED(), LATER(), LATER()]) {
      mailer.answer = () => Promise.reject(error)
      start()
      await pass(0)
      await stopAll()
      await pass(Number(await queue.nextDueIn(0)))
    }
    const times = mailer.sent.map(({ at }) => at)
    const gaps = times.slice(1).map((time, index) => time - Number(times[index]))
    expect(gaps).toEqual([30_000, 60_000, 120_000])
    const withTexts = mailer.sent.map(({ letter }) => letter.text.includes('une formation'))
    expect(withTexts).toEqual([true, true, false, false])
    const text = 'daily letter not mailed; it will be retried'
    const fields = { date: '2026-05-04', detail: 'EMESSAGE', tries: 2, retryMs: 60_000 }
    expect(kept.lines[1]).toEqual(['warn', text, fields])
  })
})

const NOTHING: Digest = {
  quarantined: [],
  dead: [],
  counts: { new: 0, mailed: 0, dead: 0, quarantined: 0, archived: 0 },
  held: 0,
  mailPerHour: 120,
  wasRefused: false,
}

test('the letter reports that there is nothing to do', () => {
  expect(composeDigest('2026-05-04', NOTHING)).toEqual({
    id: 'digest-2026-05-04',
    subject: 'Messages du site / Website messages 2026-05-04\u00a0: rien à faire / nothing to do',
    text: `Messages du site du 2026-05-04, heure de Toronto / Website messages of 2026-05-04, Toronto time

Rien à faire aujourd’hui. / Nothing to do today.
`,
  })
})

const spam = createStored({ status: 'quarantined', trapped: ['url'], message: 'a\nb\u2028c' })
const WAITING: Digest = {
  ...NOTHING,
  quarantined: [{ ...spam, reference: 'RG-A' }],
  dead: [createStored({ reference: 'RG-B', status: 'dead', service: '', language: 'en' })],
  counts: { ...NOTHING.counts, new: 40, dead: 1, quarantined: 12 },
  oldestDueAt: Date.parse('2026-05-04T12:15:00Z'),
  held: 37,
}

const describeFirst = ([message = createStored()]: Message[]) =>
  describeMessage(message).map((line) => line.replaceAll('\u00a0', ' '))

test('the letter carries the texts of quarantined and of dead messages', () => {
  const { subject, text } = composeDigest('2026-05-04', WAITING)
  const found = 'Messages du site / Website messages 2026-05-04\u00a0: 13 à voir / 13 to see'
  expect(subject).toBe(found)
  expect(text.replaceAll('\u00a0', ' ').split('\n').slice(2)).toEqual([
    'Mis à part comme pourriels possibles, à vérifier / Set aside as possible spam, to be checked : 12',
    'Si un message est authentique, écrivez à cette personne. / If a message is genuine, write to this person.',
    '',
    ...describeFirst(WAITING.quarantined),
    '> a',
    '> b',
    '> c',
    '',
    'Plus anciens, non repris ici / Older ones, not shown here : 11',
    '',
    'Non transmis par courriel après de nombreux essais / Not delivered to you after many tries : 1',
    'Le site essaie de nouveau chaque jour; vous pouvez déjà écrire à cette personne. / The site tries again each day; you can already write to this person.',
    '',
    ...describeFirst(WAITING.dead),
    '> Bonjour,',
    '> ',
    '> \tune formation?',
    '',
    'En attente d’envoi / Waiting to be sent : 40, prochain essai / next attempt 2026-05-04 08:15',
    'Dont retenus, car le site envoie au plus 120 courriels par heure : 37',
    'Of these held back, because the site sends at most 120 emails an hour: 37',
    '',
  ])
})

test('a letter without the texts names the messages, and nothing typed', () => {
  const { text } = composeDigest('2026-05-04', { ...WAITING, wasRefused: true })
  expect(text).toContain('refused the texts')
  expect(text).toContain('\nRG-A, reçu / received 2026-05-03 23:30\n')
  expect(text).not.toMatch(/Zoé|zoe@|une formation/)
})
