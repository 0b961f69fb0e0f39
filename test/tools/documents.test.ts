import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig, VARIABLES } from '../../server/config.ts'
import { MESSAGE_STATUSES } from '../../server/inbox/message.ts'
import { CONTACT_FIELDS, FAULT_CODES, FIELDS, MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { MAX_CONTACT_BYTES } from '../../shared/contact-limit.ts'
import { PROBLEMS } from '../../shared/problems.ts'
import { SERVICE_IDS } from '../../shared/sectors.ts'
import { ROOT, read } from '../../tools/harness/project.ts'
import { setUpSite, site } from '../server/setup.ts'

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).map((name) => ({
  name,
  text: read(name),
}))

const BLOCK = /^```(\w+)\n(.*?)^```/gms
const findCode = (text = '') =>
  [...text.replace(BLOCK, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
test.each(pages)('$name names files that exist', ({ name, text }) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
  const paths = findCode(text).filter((code) =>
    /^(?:client|docs|server|shared|test|tools)\/[\w./-]+$/.test(code),
  )
  const files = [...links.map((link) => join(name, '..', link)), ...paths]
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

test('CONTRIBUTING names for each change a file and a word that is in it', () => {
  const pairs = [...read('CONTRIBUTING.md').matchAll(/`([\w./-]+)`\s\(`([^`]+)`\)/g)]
  expect(pairs.length).toBeGreaterThan(12)
  const wrong = pairs.filter(([, file = '', word = '']) => !read(file).includes(word))
  expect(wrong).toEqual([])
})

test('CHANGELOG has the part from which CONTRIBUTING releases', () => {
  const [, part] = /move \*(.+?)\*/.exec(read('CONTRIBUTING.md')) ?? []
  expect(read('CHANGELOG.md')).toContain(`\n## ${part}\n`)
})

test('CONTRIBUTING runs one test by words of its title', () => {
  const [, suite, words = ''] = /npm test -- (\S+) -t '(.+)'/.exec(read('CONTRIBUTING.md')) ?? []
  expect(read(`${suite}.test.ts`)).toContain(words)
})

test('.env.example has every variable once, with its default', () => {
  const settings = [...read('.env.example').matchAll(/^#?([A-Z_]+)=(.*)$/gm)]
  const names = settings.map(([, name = '']) => name)
  expect(names).toEqual(expect.arrayContaining(VARIABLES))
  expect(new Set(names)).toHaveProperty('size', names.length)
  for (const [, name = '', value] of settings) {
    if (!VARIABLES.includes(name)) continue
    expect([name, loadConfig({ [name]: value })]).toEqual([name, loadConfig({})])
  }
})

test('docs/troubleshooting.md quotes lines that the server writes', () => {
  const server = globSync('server/**/*.ts', { cwd: ROOT }).map(read).join('\n')
  const items = read('docs/troubleshooting.md').matchAll(/^- (`[a-zA-Z_][^:]+):/gm)
  const lines = [...items]
    .flatMap(([, item]) => findCode(item))
    .filter((code) => code.includes(' '))
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.filter((line) => !server.includes(line))).toEqual([])
})

test('docs/operating.md has every status of a message', () => {
  const statuses = read('docs/operating.md').matchAll(/^- `(\w+)`:/gm)
  expect([...statuses].map(([, status]) => status)).toEqual(MESSAGE_STATUSES)
})

describe('docs/api.md', () => {
  const page = read('docs/api.md')
  setUpSite({ realTime: true })

  /** Replaces values that differ between runs, and white space. */
  const settle = (answer: string) =>
    answer
      .replace(/RG-\w{5}-\w{5}/g, 'REFERENCE')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'REQUEST')
      .replace(/\s/g, '')

  test('every command has the documented answer', async () => {
    const blocks = [...page.matchAll(BLOCK)]
    expect(blocks.length).toBeGreaterThan(2)
    while (blocks.length > 0) {
      const [command, answer] = blocks.splice(0, 2).map(([, , block = '']) => block)
      const script = `${command}`.replaceAll('http://localhost:3000', site.url)
      const { stdout } = await promisify(execFile)('sh', ['-ec', script])
      expect({ command, answer: settle(stdout) }).toEqual({ command, answer: settle(`${answer}`) })
    }
  })

  test('names every field, service, limit, and code with its status', () => {
    const rows = [...page.matchAll(/^- (\d{3}) ([^:]+):/gm)].flatMap(([, status, codes]) =>
      findCode(codes).map((code) => [code, Number(status)]),
    )
    const faults = Object.fromEntries(FAULT_CODES.map((code) => [code, 400]))
    expect({ ...PROBLEMS, ...faults }).toMatchObject(Object.fromEntries(rows))
    expect(rows.map(([code]) => code)).toEqual(expect.arrayContaining(Object.keys(faults)))
    const fields = [...page.matchAll(/^- (`[^:]+):/gm)].flatMap(([, names]) => findCode(names))
    expect(fields.toSorted()).toEqual(FIELDS.toSorted())
    const { firstName, email, message } = CONTACT_FIELDS
    const named = [
      ...SERVICE_IDS.map((service) => `\`${service}\``),
      ...[firstName, email].map(({ maxLength }) => `at most ${maxLength} characters`),
      `${message.minLength} to ${message.maxLength} characters`,
      `at least ${MIN_FILL_MS / 1000} s ago`,
      `at most ${MAX_CONTACT_BYTES / 1024} KiB`,
    ]
    expect(named.filter((text) => !page.includes(text))).toEqual([])
  })
})
