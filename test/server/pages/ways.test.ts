import request from 'supertest'
import { SECTORS } from '../../../shared/constants.ts'
import { CONTENT } from '../../../shared/content/index.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { getPath, pages } from '../../../shared/pages.ts'
import { type Site, startSite } from '../../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

describe.each(LANGUAGES)('in %s', (language) => {
  const { divisions, services, contact, footer } = CONTENT[language]

  async function read(path: string) {
    const { text } = await request(site.url).get(`${path}?lang=${language}`)
    const [, main = '', end = ''] = text.split(/<main|<\/main>/)
    return { main, end }
  }

  test.each(SECTORS)(
    '%s gives reasons for us, and links to the three other sectors',
    async (sector) => {
      const { main } = await read(getPath(sector))
      for (const reason of divisions.items[sector].reasons)
        expect(main).toContain(`<li>${reason}</li>`)
      const linked = SECTORS.filter((other) => main.includes(`href="${getPath(other)}"`))
      expect(linked).toEqual(SECTORS.filter((other) => other !== sector))
    },
  )

  test('the services page shows the sequence of services', async () => {
    const { main } = await read(getPath('services'))
    const { steps } = services.sequence
    expect(steps).toHaveLength(services.items.length)
    for (const { text } of steps) expect(main).toContain(text)
  })

  test('the contact page says what happens after the form is sent', async () => {
    const { main } = await read(getPath('contact'))
    for (const step of Object.values(contact.next)) expect(main).toContain(step)
  })

  test.each(pages.flatMap(({ path }) => path ?? []))(
    '%s ends with the notice of accessible formats',
    async (path) => {
      expect((await read(path)).end).toContain(footer.formats)
    },
  )
})
