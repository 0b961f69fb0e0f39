import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig, VARIABLES } from '../../server/config/config.ts'
import { COMMANDS } from '../../server/inbox/cli.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { ROOT, read } from '../../tools/harness/project.ts'
import { createSqlitePlace, runCommand, setUpPlace } from '../server/inbox/places.ts'
import { setUpSite, site } from '../server/setup.ts'
import { createFolder } from '../support/folders.ts'

const cwd = createFolder()
const shell = (...args: string[]) => promisify(execFile)('sh', args, { cwd })

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).map((name) => ({
  name,
  text: read(name),
}))

const BLOCK = /^```(\w+)\n(.*?)^```/gms
const findBlocks = (text: string, kind: string) =>
  [...text.matchAll(BLOCK)].filter(([, found]) => found === kind).map(([, , block = '']) => block)
const findCode = (text = '') =>
  [...text.replace(BLOCK, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
/** The rows of the tables of a page whose first column has this head, as cells. */
const findRows = (page: string, head: string) =>
  read(page)
    .split('\n\n')
    .filter((table) => table.startsWith(`| ${head} |`))
    .flatMap((table) => table.trimEnd().split('\n').slice(2))
    .map((row) => row.slice(2, -2).split(' | '))

test('docs/settings.md has every variable, with its default and range', () => {
  const rows = findRows('docs/settings.md', 'variable')
  expect(rows.flatMap(([names]) => findCode(names)).toSorted()).toEqual(VARIABLES.toSorted())
  for (const [names, byDefault, range = ''] of rows) {
    const [name = ''] = findCode(names)
    const load = (value?: string) => loadConfig({ [name]: value })
    expect([name, load(findCode(byDefault)[0])]).toEqual([name, load()])
    const [lowest = '', highest = ''] = range.split('–')
    if (!highest) continue
    expect([load(lowest), load(highest)]).toHaveLength(2)
    expect(() => load(`${Number(highest) + 1}`)).toThrow(name)
    if (lowest !== '0') expect(() => load(`${Number(lowest) - 1}`)).toThrow(name)
  }
})

test.each(pages)('$name names files that exist', ({ name, text }) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(join(ROOT, name, '..', link)))).toEqual([])
  const paths = findCode(text).filter((code) =>
    /^(?:client|deploy|docs|server|shared|test|tools)\/[\w./-]+\.\w+$/.test(code),
  )
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('README names every room of the server, and in each place to change a word that is there', () => {
  const rooms = globSync('server/*/', { cwd: ROOT }).map((room) => `${room.replace(/\/$/, '')}/`)
  const named = findRows('README.md', 'folder').flatMap(([folder]) => findCode(folder))
  expect(named).toEqual(expect.arrayContaining(rooms))
  const rows = findRows('README.md', 'to change')
  expect(rows.length).toBeGreaterThan(12)
  for (const [, places, words] of rows) {
    const files = findCode(places).filter((place) => !place.endsWith('/'))
    const text = files.map(read).join('\n')
    expect(findCode(words).filter((word) => !text.includes(word))).toEqual([])
  }
})

test('docs/troubleshooting.md quotes lines that the server writes', () => {
  const server = globSync('server/**/*.ts', { cwd: ROOT }).map(read).join('\n')
  // After `…` stand words of a mail server.
  const rows = findRows('docs/troubleshooting.md', 'line').filter(([cell]) => !/^…/.test(`${cell}`))
  const lines = rows.flatMap(([cell]) => findCode(cell)).filter((code) => code.includes(' '))
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter((line) => !server.includes(line))).toEqual([])
})

describe('the inbox command', () => {
  const place = setUpPlace(createSqlitePlace)

  test.each(LANGUAGES)('names every command in its help: %s', async (language) => {
    const { out } = await runCommand(place, ['--help', '--lang', language])
    expect(out.match(/(?<=^ {2})[a-z]+/gm)).toEqual(Object.keys(COMMANDS))
  })
})

describe('docs/api.md', () => {
  const page = read('docs/api.md')
  setUpSite({ realTime: true })

  const point = (script: string, url: string) =>
    script.replaceAll('http://localhost:3000', url).replace('docs/', `${ROOT}/docs/`)

  /** Numbers the references, and replaces other values that differ between runs, and white space. */
  function settle(answer: string): string {
    const references = [...new Set(answer.match(/RG-\w{5}-\w{5}/g))]
    return answer
      .replace(/RG-\w{5}-\w{5}/g, (reference) => `REFERENCE${references.indexOf(reference)}`)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'REQUEST')
      .replace(/pk=:[^:]+:/g, 'pk=HASH')
      .replace(/\s/g, '')
  }

  test('every command has the documented answer', async () => {
    const commands = findBlocks(page, 'sh')
    const answers = [...page.matchAll(BLOCK)].filter(([, kind]) => kind !== 'sh')
    expect(answers).toHaveLength(commands.length)
    for (const [index, command] of commands.entries()) {
      const script = point(command, site.url)
      const { stdout } = await shell('-ec', script)
      const answer = settle(answers[index]?.[2] ?? '')
      expect({ command, answer: settle(stdout) }).toEqual({ command, answer })
    }
  })
})
