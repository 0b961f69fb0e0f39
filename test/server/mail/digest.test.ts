import { jest } from '@jest/globals'
import type { Digest, Pending } from '../../../server/inbox/inbox.ts'
import { composeDigest } from '../../../server/mail/digest-letter.ts'
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

const NONE: Pending = { messages: [], count: 0, newCount: 0 }
const NOTHING: Digest = {
  quarantined: NONE,
  dead: NONE,
  counts: { new: 0, mailed: 0, dead: 0, quarantined: 0, archived: 0 },
  held: 0,
  mailPerHour: 120,
  wasRefused: false,
}

test('the letter reports that there is nothing to do', () => {
  expect(composeDigest('2026-05-04', NOTHING)).toEqual({
    id: 'digest-2026-05-04',
    subject: 'Rien de nouveau / Nothing new – 2026-05-04',
    text: `Rien de nouveau ce matin, le 2026-05-04 (heure de Toronto). Rien à faire.
Nothing new this morning, 2026-05-04 (Toronto time). Nothing to do.
`,
  })
})

const spam = createStored({ status: 'quarantined', trapped: ['url'], message: 'a\nb\u2028c' })
const WAITING: Digest = {
  ...NOTHING,
  quarantined: { messages: [{ ...spam, reference: 'RG-A' }], count: 12, newCount: 1 },
  dead: {
    messages: [createStored({ reference: 'RG-B', status: 'dead', service: '', trapped: ['url'] })],
    count: 1,
    newCount: 0,
  },
  counts: { ...NOTHING.counts, new: 40 },
  oldestDueAt: Date.parse('2026-05-04T12:15:00Z'),
  held: 37,
}

test('the letter carries the texts of quarantined and of dead messages, the new ones marked', () => {
  const { text } = composeDigest('2026-05-04', WAITING)
  expect(
    text.replaceAll('\u00a0', ' '),
  ).toBe(`Ce qui vous attend ce matin, le 2026-05-04 (heure de Toronto)
Waiting for you this morning, 2026-05-04 (Toronto time)

À VÉRIFIER, pourriels possibles / TO CHECK, possible spam : 12 (nouveaux / new : 1)
Si un message est authentique, écrivez à l’adresse qu’il donne : une réponse à cette lettre ne lui parviendrait pas. Sinon, ne faites rien : le site l’efface à la date indiquée.
If a message is genuine, write to the address it gives: a reply to this letter would not reach it. Otherwise do nothing: the site erases it on the date shown.

NOUVEAU / NEW
Nom / Name : Zoé O'Neil
Courriel / Email : zoe@exemple.québec
Secteur / Sector : Services francophones / Francophone services
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Mis à part / Set aside : un champ que seuls les robots voient a été rempli (url) / a field that only bots see was filled in (url)
Effacé du site le / Erased from the site on : 2026-06-02
Référence / Reference : RG-A
> a
> b
> c

Plus anciens, non repris ici / Older ones, not shown here : 11

NON TRANSMIS malgré de nombreux essais / NOT DELIVERED despite many tries : 1 (nouveaux / new : 0)
Écrivez à cette personne à l’adresse indiquée; le site essaie de nouveau chaque jour.
Write to this person at the address shown; the site tries again each day.

Nom / Name : Zoé O'Neil
Courriel / Email : zoe@exemple.québec
Secteur / Sector : Aucun en particulier / None in particular
Reçu / Received : 2026-05-03 23:30 (heure de Toronto / Toronto time)
Effacé du site le / Erased from the site on : 2028-05-02
Référence / Reference : RG-B
> Bonjour,
> ${''}
> 	une formation?

En attente d’envoi / Waiting to be sent : 40, prochain essai / next attempt 2026-05-04 08:15
Dont retenus, car le site envoie au plus 120 courriels par heure : 37
Of these held back, because the site sends at most 120 emails an hour: 37

Cette lettre contient des messages : effacez-la quand ils sont réglés, au plus tard à la dernière date indiquée.
This letter contains messages: delete it once they are dealt with, at the latest on the last date shown.
`)
})

test.each([
  [
    [1, 1],
    [3, 0],
    '1 nouveau message à vérifier / 1 new message to check – 2026-05-04 (4 en tout / 4 in all)',
  ],
  [[1, 1], [1, 1], '2 nouveaux messages à vérifier / 2 new messages to check – 2026-05-04'],
  [
    [2, 0],
    [1, 0],
    'Rien de nouveau / Nothing new – 2026-05-04 (3 encore à vérifier / 3 still to check)',
  ],
])('the subject says what is new and what waits: %j %j', (quarantined, dead, subject) => {
  const toPending = ([count = 0, newCount = 0]: number[]) => ({ ...NONE, count, newCount })
  const pending = { quarantined: toPending(quarantined), dead: toPending(dead) }
  const letter = composeDigest('2026-05-04', { ...NOTHING, ...pending })
  expect(letter.subject).toBe(subject)
  const stillWaiting = 'Nothing new; the messages below are still waiting.'
  expect(letter.text.includes(stillWaiting)).toBe(subject.startsWith('Rien'))
})

test('a letter without the texts names the messages, and nothing typed', () => {
  const { text } = composeDigest('2026-05-04', { ...WAITING, wasRefused: true })
  expect(text).toContain('refused the texts')
  expect(text).toContain('\nRG-A, reçu / received 2026-05-03 23:30\n')
  expect(text).not.toMatch(/Zoé|zoe@|une formation|address|date shown/)
})
