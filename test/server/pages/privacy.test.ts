import request from 'supertest'
import { type Site, startSite } from '../../helpers/site.ts'

let site: Site
afterEach(() => site.stop())

test('the privacy policy says how long messages are kept by the settings in force', async () => {
  site = await startSite({ environment: { RETENTION_DAYS: '1095', QUARANTINE_DAYS: '7' } })
  const french = await request(site.url).get('/politique-confidentialite')
  expect(french.text).toContain('Les messages sont effacés après 1\u00a0095 jours')
  expect(french.text).toContain('mis à part pendant 7 jours')
  const english = await request(site.url).get('/privacy-policy')
  expect(english.text).toContain('Messages are erased after 1,095 days')
  expect(english.text).toContain('set aside for 7 days')
  for (const { text } of [french, english]) expect(text).not.toContain('730')
})

test.each([
  ['/politique-confidentialite', 'effacés après 730 jours, l’adresse réseau après 24 heures'],
  ['/privacy-policy', 'erased after 730 days, network addresses after 24 hours'],
])('%s: without settings, by the usual ones', async (path, sentence) => {
  site = await startSite()
  expect((await request(site.url).get(path)).text).toContain(sentence)
})

test('a day is one day', async () => {
  site = await startSite({ environment: { RETENTION_DAYS: '1', QUARANTINE_DAYS: '1' } })
  const { text } = await request(site.url).get('/politique-confidentialite')
  expect(text).toContain('effacés après 1 jour,')
})
