import { createHash } from 'node:crypto'
import request from 'supertest'
import { LANGUAGES } from '../../../shared/language.ts'
import { pages } from '../../../shared/pages.ts'
import { type Site, startSite } from '../../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const cases = pages.flatMap(({ path }) =>
  path ? LANGUAGES.map((language) => `${path}?lang=${language}`) : [],
)

test.each(cases)('every script that %s names has the digest of what is served', async (path) => {
  const { text } = await request(site.url).get(path)
  const tags = text.match(/<(?:script|link)\b[^>]*\.js"[^>]*>/g) ?? []
  expect(tags.length).toBeGreaterThan(1)
  for (const tag of tags) {
    const address = / (?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? ''
    const { body } = await request(site.url).get(address).buffer(true).parse(collect)
    const digest = createHash('sha384').update(body).digest('base64')
    expect(tag).toContain(` integrity="sha384-${digest}"`)
  }
})

function collect(res: request.Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = []
  const stream = res as unknown as NodeJS.ReadableStream
  stream.on('data', (chunk) => chunks.push(chunk))
  stream.on('end', () => done(null, Buffer.concat(chunks)))
}
