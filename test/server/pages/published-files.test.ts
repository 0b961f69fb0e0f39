import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublishedFiles } from '../../../server/pages/static-files.ts'
import { writeRequest } from '../../../tools/harness/raw-client.ts'
import { createFolder } from '../../support/folders.ts'
import { askRaw, setUpSite } from '../setup.ts'

const FILES = [
  ['.well-known/security.txt', '/.well-known/security.txt', 'text/plain; charset=utf-8'],
  ['google0123456789.html', '/google0123456789.html', 'text/html; charset=utf-8'],
  ['BingSiteAuth.xml', '/BingSiteAuth.xml', 'application/xml'],
  ['Plan d’accès.PDF', '/Plan%20d%E2%80%99acc%C3%A8s.PDF', 'application/pdf'],
  ['team.jpg', '/team.jpg', 'image/jpeg'],
  ['team.webp', '/team.webp', 'image/webp'],
] as const

const folder = createFolder()
const unknown = createFolder()
mkdirSync(join(folder, '.well-known'))
for (const [name] of FILES) writeFileSync(join(folder, name), `The text of ${name}`)
writeFileSync(join(folder, '.DS_Store'), 'from a file manager')

const published = await createPublishedFiles(folder)
setUpSite({ parts: { published } })

test.each(FILES)('%s is published at %s as %s', async (name, path, type) => {
  const { status, headers, body } = await askRaw(writeRequest('GET', path))
  expect({ status, body }).toEqual({ status: 200, body: `The text of ${name}` })
  expect(headers).toMatchObject({
    'content-type': type,
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'cross-origin',
  })
})

test('a hidden file and the template of the pages are not published', async () => {
  expect(Object.keys(published).sort()).toEqual(FILES.map(([, path]) => path).sort())
  expect((await askRaw(writeRequest('GET', '/index.html'))).status).toBe(404)
})

test('a file of unknown type stops the start, with its name and the cure', async () => {
  writeFileSync(join(unknown, 'prices.csv'), 'a;b')
  await expect(createPublishedFiles(unknown)).rejects.toThrow(
    /prices\.csv has no content type: add its ending to TYPES in server\/pages\/file-types\.ts$/,
  )
})
