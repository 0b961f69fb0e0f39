import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder } from '../../../tools/harness/folders.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SOURCES = ['client', 'server', 'shared', 'tools', 'tsconfig.json', 'vite.config.ts']

const folder = createFolder()
beforeAll(() => {
  for (const name of [...SOURCES, 'package.json', 'test']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})

interface Edit {
  file: string
  from: string
  to: string
}

/** What the check says of texts that were edited so; they are put back after it. */
function check(edits: Edit[]): { status: number | null; output: string } {
  const before = edits.map(({ file }) => readFileSync(join(folder, 'shared/content', file), 'utf8'))
  for (const { file, from, to } of edits) {
    const path = join(folder, 'shared/content', file)
    const text = readFileSync(path, 'utf8')
    expect(text).toContain(from)
    writeFileSync(path, text.replace(from, to))
  }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, 'tools/content/check-content.ts')],
    { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  )
  for (const [index, { file }] of edits.entries()) {
    writeFileSync(join(folder, 'shared/content', file), before[index] ?? '')
  }
  return { status, output: stdout + stderr }
}

const both = (group: string, from: string, to: string): Edit[] =>
  ['fr', 'en'].map((language) => ({ file: `${language}/${group}.json`, from, to }))

test('as they are, the texts are in order', () => {
  const { status, output } = check([])
  expect(output).toContain('The texts are in order.')
  expect(status).toBe(0)
})

test.each<[string, Edit[], string]>([
  [
    'a comma that is missing',
    [{ file: 'fr/brand.json', from: '",', to: '"' }],
    'shared/content/fr/brand.json: the file cannot be read',
  ],
  [
    'a key renamed in one language',
    [{ file: 'en/hero.json', from: '"headline"', to: '"headlines"' }],
    'shared/content/en/hero.json, key headline: the French has this key',
  ],
  [
    'a key renamed in both',
    both('hero', '"headline"', '"headlines"'),
    'shared/content/fr/hero.json, key headlines: nothing on the site uses this key',
  ],
  [
    'a key added in both',
    both('divisions', '"tags": [', '"colour": "red", "tags": ['),
    'shared/content/fr/divisions.json, key items.public-safety.colour: nothing on the site uses',
  ],
  [
    'a fact that is unknown',
    both('privacy', '{privacyEmail}', '{privacyMail}'),
    'shared/content/en/privacy.json, key summary.points[4]: the site cannot fill in {privacyMail}',
  ],
  [
    'a number dropped in one language',
    [{ file: 'en/contact.json', from: 'From {min} to {max}', to: 'At least {min}' }],
    'shared/content/en/contact.json, key form.messageHint: put {max} back',
  ],
  [
    'a no-break space',
    [{ file: 'fr/privacy.json', from: 'jour\u00a0:', to: 'jour :' }],
    'shared/content/fr/privacy.json, key updated: put a no-break space before the colon',
  ],
  [
    'an address in one language',
    [{ file: 'company.json', from: '"K1A 0A0"', to: '"K1A 0B1"' }],
    'shared/content/company.json, key address.en.postalCode: the two languages give different',
  ],
])('%s is answered with file, key and what to do', (_name, edits, answer) => {
  const { status, output } = check(edits)
  expect(output).toContain(answer)
  expect(output).not.toMatch(/^\s+at /m)
  expect(status).toBe(1)
})
