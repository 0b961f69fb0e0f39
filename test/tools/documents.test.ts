import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { loadConfig, VARIABLES } from '../../server/config/config.ts'
import { COMMANDS } from '../../server/inbox/cli.ts'
import explanations from '../../server/inbox/explanations.json' with { type: 'json' }
import { MESSAGE_STATUSES } from '../../server/inbox/inbox.ts'
import { CONTACT_FIELDS, FAULT_CODES, FIELDS, MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { MAX_CONTACT_BYTES, REFUSAL_LIMIT } from '../../shared/contact-limit.ts'
import { listTexts } from '../../shared/content/company.ts'
import { CONTENT } from '../../shared/content/index.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { PROBLEMS } from '../../shared/problems.ts'
import { REPEAT_HOURS } from '../../shared/retention.ts'
import { SERVICE_IDS } from '../../shared/sectors.ts'
import { listen } from '../../tools/harness/process.ts'
import { ROOT, read } from '../../tools/harness/project.ts'
import { createSqlitePlace, runCommand, setUpInbox } from '../server/inbox/places.ts'
import { setUpSite, site } from '../server/setup.ts'
import { createFolder } from '../support/folders.ts'

const readAll = (...patterns: string[]) => globSync(patterns, { cwd: ROOT }).map(read)
const cwd = createFolder()
const shell = (...args: string[]) => promisify(execFile)('sh', args, { cwd })

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).map((name) => ({
  name,
  text: read(name),
}))
const server = readAll('server/**/*.ts').join('\n').replaceAll("\\'", "'")
const mailErrors = read('node_modules/nodemailer/dist/esm/errors.d.ts')
const sources = [
  ...readAll(
    '{client,server,shared,tools,deploy}/**/*.*',
    '*.{json,yaml}',
    '{Caddy,Docker}file',
    'deploy/site',
  ),
  ...LANGUAGES.flatMap((language) => listTexts(CONTENT[language]).map(([key]) => key)),
  mailErrors,
]

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

/** Words of other programs, which our sources do not contain. */
const FOREIGN = `42501 53300 57P01 57P03 28P01 3D000 28000 CERT_HAS_EXPIRED pg_stat_activity
  pg_hba.conf dmesg pasta AbortError TimeoutError
  /var/lib/docker/volumes/rg-website_backups/_data
  node_filesystem_avail_bytes autocannon maxRequestsPerSocket skipFailedRequests
  req.acceptsEncodings Node.prototype`

test.each(pages)('$name names files, links and words that exist', ({ name, text }) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(join(ROOT, name, '..', link)))).toEqual([])
  const isKnown = (word: string) =>
    existsSync(join(ROOT, word)) || [FOREIGN, ...sources].some((known) => known.includes(word))
  const words = findCode(text).filter((code) => /^[\w./-]+$/.test(code))
  expect(words.filter((word) => !isKnown(word))).toEqual([])
})

test('every page that the sources name exists', () => {
  const named = sources.join('\n').match(/\bdocs\/[\w./-]+\.md\b/g) ?? []
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
})

test('only docs/performance.md has measured figures, which become stale elsewhere', () => {
  const others = pages.filter(({ name }) => name !== 'docs/performance.md')
  const found = others.map(({ text }) => text.match(/\d\s?(?:MB|MiB|GiB|kB|ms|µs|%)(?!\w).*/g))
  expect(found.filter(Boolean)).toEqual([])
})

test('commands are right for the shell, with scripts, verbs, inbox commands and services that exist', async () => {
  const isCommand = /^(?:[A-Z_]+=\S+ )?(?:npm|docker|inbox|git|curl|deploy\/site) /
  const isLogLine = (code: string) => server.includes(`'${code}`)
  const commands = pages.flatMap(({ text }) => [
    ...findBlocks(text, 'sh'),
    ...findCode(text).filter((code) => isCommand.test(code) && !isLogLine(code)),
  ])
  const acts = findRows('docs/operating.md', 'to').flatMap(([, verbs]) => findCode(verbs))
  const script = [...commands, ...acts.map((act) => `deploy/site ${act}`)].join('\n')
  await shell('-nc', script)
  const withoutOptions = script.replace(/ -(?:e|u|v|-since) \S+| --?\w[\w-]*/g, '')
  const composed = readAll('{,deploy/}compose*.yaml')
  const services = composed.flatMap((text) => Object.keys(parse(text).services))
  const verbs = read('deploy/site')
    .match(/(?<=^act_)\w+/gm)
    ?.map((verb) => verb.replace('_', '-'))
  const found = [
    [script, /(?<=npm run (?:--silent )?)\w[\w-]*/g, Object.keys(packageFile.scripts)],
    [script, /(?<=(?:^inbox|site inbox|inbox --|cli\.ts) )[a-z]+/gm, Object.keys(COMMANDS)],
    [script, /(?<=deploy\/site )[a-z-]+/g, verbs],
    [withoutOptions, /(?<=docker compose (?:exec|run) )[\w-]+/g, services],
    [withoutOptions, /(?<=docker compose (?:up|restart|logs) )\w[\w -]*/g, services],
  ] as const
  for (const [text, pattern, known] of found) {
    const words = text.match(pattern)?.flatMap((match) => match.trim().split(' ')) ?? []
    expect(words).not.toEqual([])
    expect(words.filter((word) => !known?.includes(word))).toEqual([])
  }
  const usage = (await shell(join(ROOT, 'deploy/site'), 'help')).stdout
  expect(verbs?.filter((verb) => !new RegExp(`^  .*\\b${verb}\\b`, 'm').test(usage))).toEqual([])
})

test('no cell of a table has more than 25 words', () => {
  const cells = pages.flatMap(({ text }) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .flatMap((line) => line.slice(2, -2).split(' | ')),
  )
  expect(cells.length).toBeGreaterThan(100)
  expect(cells.filter((cell) => cell.split(/\s+/).length > 25)).toEqual([])
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

test('each decision has its context, itself, and what was rejected; there are nine at most', () => {
  const decisions = pages.filter(({ name }) => /decisions\/\d/.test(name))
  expect(decisions.length).toBeLessThanOrEqual(9)
  const parts = ['## Context', '## Decision', '## Rejected']
  for (const { name, text } of decisions) {
    expect({ name, parts: text.match(/^## (?:Context|Decision|Rejected)$/gm) }).toEqual({
      name,
      parts,
    })
    expect(read('docs/decisions/README.md')).toContain(`(${basename(name)})`)
  }
  const packages = findRows('docs/decisions/0001-dependencies.md', 'package').map(([it]) => it)
  expect(packages.toSorted()).toEqual(Object.keys(packageFile.dependencies).toSorted())
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

test('docs/troubleshooting.md has every warning and error of the log; it and the alarms quote no other line', () => {
  const calls = server.matchAll(/\.(?:warn|error|fatal)\(((?:[^()]|\([^()]*\))*)\)/g)
  const lines = [...calls].flatMap(([, call = '']) => {
    const [constant] = call.match(/\b[A-Z_]{9,}$/) ?? []
    const [, value = call] = server.split(`const ${constant} =`)
    const texts = value.matchAll(/(?<=^|[\s(])(['"`])(\w.*? .*?)\1(?=$|[\s,)])/gm)
    return [...texts].map(([, , text = '']) => text).slice(0, constant ? 1 : undefined)
  })
  expect(lines.length).toBeGreaterThan(23)
  const isLine = (code: string) => code.includes(' ')
  const page = findCode(read('docs/troubleshooting.md')).filter(isLine)
  expect(lines.filter((line) => !page.some((code) => line.startsWith(code)))).toEqual([])
  const alarms = findCode(read('deploy/alarms.yaml').replace(/\s+/g, ' ')).filter(isLine)
  const others =
    /^(?:npm|docker|inbox|deploy\/site|chmod|rm|heap|wrong|Cannot|date|df|timedatectl|host|SELECT)\s|[=*]/
  const quoted = [...page, ...alarms].filter((code) => !others.test(code))
  expect(quoted.filter((code) => !server.includes(code))).toEqual([])
})

test('docs/troubleshooting.md has every reason of an unavailable store, and every timeout of nodemailer', () => {
  const page = 'docs/troubleshooting.md'
  const reasons = findRows(page, '`reason` or `code`').flatMap(([cell]) => findCode(cell))
  expect(reasons).toEqual(expect.arrayContaining(Object.keys(explanations.en.reasons)))
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
    const url = `http://127.0.0.1:${await listen(flaky)}`
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
