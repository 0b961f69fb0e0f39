import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBundleRenderer } from '../../../server/pages/bundle-renderer.ts'

test.each(['pages/services.tsx', 'entry-client.tsx', 'texts/home.fr.js'])(
  'a build without %s stops the start',
  async (source) => {
    const folder = await mkdtemp(join(tmpdir(), 'build-'))
    await cp(join(import.meta.dirname, '../../../dist'), folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const file = join(folder, 'client/.vite/manifest.json')
    const { [source]: _, ...rest } = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify(rest))
    await expect(createBundleRenderer(folder)).rejects.toThrow(`build lacks ${source}`)
    await rm(folder, { recursive: true })
  },
)
