import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig, VARIABLES } from '../../server/config/config.ts'
import { COMMANDS } from '../../server/inbox/cli.ts'
import texts from '../../server/inbox/command/en.json' with { type: 'json' }
import { MESSAGE_STATUSES } from '../../server/inbox/message.ts'
import { CONTACT_FIELDS, FAULT_CODES, FIELDS, MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { MAX_CONTACT_BYTES, REFUSAL_LIMIT } from '../../shared/contact-limit.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { PROBLEMS } from '../../shared/problems.ts'
import { REPEAT_HOURS } from '../../shared/retention.ts'
import { SERVICE_IDS } from '../../shared/sectors.ts'
import { listenLocally } from '../../tools/harness/process.ts'
import { ROOT, read } from '../../tools/harness/project.ts'
import { createSqlitePlace, runCommand, setUpInbox } from '../server/inbox/places.ts'
import { setUpSite, site } from '../server/setup.ts'
import { createFolder } from '../support/folders.ts'

const cwd = createFolder()
const shell = (...args: string[]) => promisify(execFile)('sh', args, { cwd })

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).map((name) => ({
  name,
  text: read(name),
}))
const mailErrors = read('node_modules/nodemailer/dist/esm/errors.d.ts')

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

test('docs/troubleshooting.md quotes lines that the server writes', () => {
  const server = globSync('server/**/*.ts', { cwd: ROOT }).map(read).join('\n')
  // After `…` stand words of a mail server.
  const rows = findRows('docs/troubleshooting.md', 'line').filter(([cell]) => !/^…/.test(`${cell}`))
  const lines = rows.flatMap(([cell]) => findCode(cell)).filter((code) => code.includes(' '))
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter((line) => !server.includes(line))).toEqual([])
})

test('docs/troubleshooting.md has every reason of an unavailable store, and every timeout of nodemailer', () => {
  const page = 'docs/troubleshooting.md'
  const reasons = findRows(page, '`reason` or `code`').flatMap(([cell]) => findCode(cell))
  expect(reasons).toEqual(expect.arrayContaining(Object.keys(texts.reasons)))
  const timeouts = mailErrors.match(/\w+_TIMEOUT(?=')/g) ?? ['timeoutType']
  expect(findCode(read(page))).toEqual(expect.arrayContaining(timeouts))
})

describe('the inbox command', () => {
  const { place, inbox, keep } = setUpInbox(createSqlitePlace)

  test('works as the status table says', async () => {
    const rows = findRows('docs/operating.md', 'status')
    expect(rows.flatMap(([status]) => findCode(status))).toEqual(MESSAGE_STATUSES)
    for (const [cell, , commands] of rows) {
      const works: string[] = []
      for (const command of ['release', 'retry', 'archive'] as const) {
        const reference = await keep()
        await place.tamper(
          `UPDATE messages SET status = '${findCode(cell)}' WHERE reference = '${reference}'`,
        )
        const result = await inbox[command](reference)
        if (!result.startsWith('not-')) works.push(command)
      }
      expect([cell, works]).toEqual([cell, findCode(commands)])
    }
  })

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

  test('its client survives a lost answer, an empty 502, a sick store and a wrong clock', async () => {
    const sent: { formStartTime: string }[] = []
    const refuse =
      (status: number, body: string, headers = {}) =>
      (res: ServerResponse) =>
        res.writeHead(status, { 'Retry-After': '0', ...headers }).end(body)
    const answers: ((res: ServerResponse) => unknown)[] = [
      (res) => res.destroy(),
      refuse(502, ''),
      refuse(503, '{"code":"unavailable"}'),
      refuse(400, '{"code":"too-fast"}', { 'Form-Start-Time': '1777896000000' }),
      (res) => res.end('{"reference":"RG-2V8NC-W4HJD"}'),
    ]
    await using flaky = createServer(async (req, res) => {
      sent.push(JSON.parse(Buffer.concat(await req.toArray()).toString()))
      answers.shift()?.(res)
    })
    const url = `http://127.0.0.1:${await listenLocally(flaky)}`
    const script = findBlocks(page, 'sh').find((block) => block.includes('send.mjs')) ?? ''
    const { stdout } = await shell('-ec', point(script, url))
    expect(stdout).toBe('RG-2V8NC-W4HJD\n')
    expect(sent.at(-1)?.formStartTime).toBe('1777896000000')
  })

  test('names every field, service, limit, and code with its status', () => {
    const rows = findRows('docs/api.md', 'status').flatMap(([status, codes]) =>
      findCode(codes).map((code) => [code, Number(status)]),
    )
    const faults = Object.fromEntries(FAULT_CODES.map((code) => [code, 400]))
    expect(Object.fromEntries(rows)).toEqual({ ...PROBLEMS, ...faults })
    const fields = findRows('docs/api.md', 'field').flatMap(([names]) => findCode(names))
    expect(fields.toSorted()).toEqual(FIELDS.toSorted())
    const { firstName, email, message } = CONTACT_FIELDS
    const named = [
      ...SERVICE_IDS.map((service) => `\`${service}\``),
      ...[firstName, email].map(({ maxLength }) => `at most ${maxLength} characters`),
      `${message.minLength} to ${message.maxLength} characters`,
      `at least ${MIN_FILL_MS / 1000} s ago`,
      `at most ${MAX_CONTACT_BYTES / 1024} KiB`,
      `${REFUSAL_LIMIT.count} refusals in ${REFUSAL_LIMIT.windowMinutes} minutes`,
      `${REPEAT_HOURS} hours`,
    ]
    expect(named.filter((text) => !page.includes(text))).toEqual([])
  })
})
