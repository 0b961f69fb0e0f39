import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { loadConfig, VARIABLES } from '../../server/config/config.ts'
import { COMMANDS } from '../../server/inbox/cli.ts'
import { EXPLANATIONS, MESSAGE_STATUSES } from '../../server/inbox/inbox.ts'
import {
  EMAIL_MAX_LENGTH,
  MAX_CONTACT_BYTES,
  MESSAGE_MAX_LENGTH,
  MESSAGE_MIN_LENGTH,
  MIN_FILL_MS,
  NAME_MAX_LENGTH,
  REFUSAL_LIMIT,
  REPEAT_HOURS,
  SERVICE_IDS,
} from '../../shared/constants.ts'
import { FAULT_CODES, FIELDS } from '../../shared/contact-fields.ts'
import { listTexts } from '../../shared/content/company.ts'
import { CONTENT } from '../../shared/content/index.ts'
import { LANGUAGES } from '../../shared/language.ts'
import { PROBLEMS } from '../../shared/problems.ts'
import { checkContent } from '../../tools/content/check-content.ts'
import { createSqlitePlace, runCommand, setUpInbox } from '../server/inbox/places.ts'
import { createFolder } from '../support/folders.ts'
import { type Site, startSite } from '../support/site.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const readAll = (...patterns: string[]) => globSync(patterns, { cwd: ROOT }).map(read)
const cwd = createFolder()
const shell = (...args: string[]) => promisify(execFile)('sh', args, { cwd })

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).map((name) => ({
  name,
  text: read(name),
}))
const server = readAll('server/**/*.ts').join('\n').replaceAll("\\'", "'")
const texts = LANGUAGES.flatMap((language) => listTexts(CONTENT[language]))
const mailErrors = read('node_modules/nodemailer/dist/esm/errors.d.ts')
const sources = [
  ...readAll('{client,server,shared,tools,deploy}/**/*.*', '*.{json,yaml}', '{Caddy,Docker}file'),
  texts.map(([key]) => key).join('\n'),
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
const FOREIGN = [
  ...['42501', '53300', '57P01', '57P03', '28P01', '3D000', '28000', 'CERT_HAS_EXPIRED'],
  ...['pg_stat_activity', 'pg_hba.conf', 'dmesg', 'pasta', 'proxy_pass', 'MemoryMax'],
  ...['prometheus.yml', 'alertmanager.yml', 'node_filesystem_avail_bytes', 'autocannon'],
  ...[
    'maxRequestsPerSocket',
    'skipFailedRequests',
    'req.acceptsEncodings',
    'img-src',
    'Node.prototype',
  ],
]

test.each(pages)('$name names files, links and words that exist', ({ name, text }) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(join(ROOT, name, '..', link)))).toEqual([])
  const isKnown = (word: string) =>
    existsSync(join(ROOT, word)) || [...FOREIGN, ...sources].some((known) => known.includes(word))
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

test('each command is one of the shell, with services, scripts and commands that exist', async () => {
  const composed = readAll('{,deploy/}compose*.yaml').map((text) => parse(text))
  const services = composed.flatMap((file) => Object.keys(file.services))
  const [settings = ''] = findBlocks(read('docs/operating.md'), 'sh')
  for (const name of settings.match(/^\w+/gm) ?? ['.env']) {
    expect(read('compose.postgres.yaml')).toContain(name)
  }
  const named: string[] = []
  for (const { text } of pages) {
    const isCommand = /^(?:[A-Z_]+=\S+ )?(?:npm|docker|inbox|git|curl|sed|runuser|systemctl) /
    const isLogLine = (code: string) => server.includes(`'${code}`)
    const inline = findCode(text).filter((code) => isCommand.test(code) && !isLogLine(code))
    const script = [...findBlocks(text, 'sh'), ...inline].join('\n')
    await shell('-nc', script)
    const find = (pattern: RegExp) => [...script.matchAll(pattern)].map(([word]) => word)
    const scripts = find(/(?<=npm run (?:--silent )?)\w[\w-]*/g)
    expect(Object.keys(packageFile.scripts)).toEqual(expect.arrayContaining(scripts))
    const commands = find(/(?<=(?:^inbox|inbox --|cli\.ts) )[a-z]+/gm)
    expect(Object.keys(COMMANDS)).toEqual(expect.arrayContaining(commands))
    for (const [line] of script.matchAll(
      /(?<=docker compose )(?:up|exec|run|stop|restart|logs) .*/g,
    )) {
      const [own = ''] = line.split(/ &&| [<>|]/)
      const [verb = '', ...words] = own
        .replace(/ -(?:e|u|v|-since) \S+| --?\w[\w-]*/g, '')
        .split(' ')
      named.push(...(['exec', 'run'].includes(verb) ? words.slice(0, 1) : words))
    }
  }
  expect(named.length).toBeGreaterThan(30)
  expect(services).toEqual(expect.arrayContaining(named))
})

test('README names in each place to change a word that is there', () => {
  const rows = findRows('README.md', 'to change')
  expect(rows.length).toBeGreaterThan(12)
  for (const [, places, words] of rows) {
    const files = findCode(places).filter((place) => !place.endsWith('/'))
    const text = files.map(read).join('\n')
    expect(findCode(words).filter((word) => !text.includes(word))).toEqual([])
  }
})

test('README names every room of the server', () => {
  const rooms = globSync('server/*/', { cwd: ROOT }).map((room) => `${room.replace(/\/$/, '')}/`)
  const named = findRows('README.md', 'folder').flatMap(([folder]) => findCode(folder))
  expect(named).toEqual(expect.arrayContaining(rooms))
})

test('each decision has its context, itself, and what was rejected; there are nine at most', () => {
  const decisions = pages.filter(({ name }) => /decisions\/\d/.test(name))
  expect(decisions.length).toBeLessThanOrEqual(9)
  for (const { name, text } of decisions) {
    expect(text.match(/^## \w+/gm)).toEqual(
      expect.arrayContaining(['## Context', '## Decision', '## Rejected']),
    )
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

describe('docs/troubleshooting.md', () => {
  const page = 'docs/troubleshooting.md'

  test('has every warning and error of the log; it and the alarms quote no other line', () => {
    const calls = server.matchAll(/\.(?:warn|error|fatal)\(((?:[^()]|\([^()]*\))*)\)/g)
    const lines = [...calls].flatMap(([, call = '']) => {
      const constant = call.match(/\b[A-Z_]{9,}\b(?=$)/)?.[0]
      const text = constant ? server.split(`const ${constant} =`)[1]?.split('\n', 2).join('') : call
      return [...(text ?? '').matchAll(/(?<=^|[\s(])(['"`])(\w.*? .*?)\1(?=$|[\s,)])/gm)].map(
        ([, , it]) => it,
      )
    })
    expect(lines.length).toBeGreaterThan(23)
    const quoted = findCode(read(page)).filter((code) => code.includes(' '))
    expect(lines.filter((line) => !quoted.some((text) => line?.startsWith(text)))).toEqual([])

    const { groups } = parse(read('deploy/alarms.yaml'))
    const rules: { annotations: { action: string } }[] = groups.flatMap(
      ({ rules }: { rules: object[] }) => rules,
    )
    const all = [read(page), ...rules.map(({ annotations }) => annotations.action)].flatMap(
      findCode,
    )
    const others =
      /^(?:npm|docker|inbox|heap|chmod|wrong|Cannot|date|df|listening|systemctl|journalctl|timedatectl|host|SELECT) |[=*]/
    const unknown = all.filter(
      (code) => code.includes(' ') && !others.test(code) && !server.includes(code),
    )
    expect(unknown).toEqual([])
  })

  test('has every reason of an unavailable store, and every timeout of nodemailer', () => {
    const reasons = findRows(page, '`reason` or `code`').flatMap(([cell]) => findCode(cell))
    expect(reasons).toEqual(expect.arrayContaining(Object.keys(EXPLANATIONS)))
    for (const name of mailErrors.match(/\w+_TIMEOUT(?=')/g) ?? ['timeoutType']) {
      expect(findCode(read(page))).toContain(name)
    }
  })
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
        const [status] = findCode(cell)
        await place.tamper(
          `UPDATE messages SET status = '${status}' WHERE reference = '${reference}'`,
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

/** Faults that the guides show: file, text, replacement. */
const FAULTS = [
  ['en/hero.json', '"intro": "Choosing', '"introduction": "Choosing'],
  ['fr/hero.json', '"intro": "Choisir', '"introduction": "Choisir'],
  ['fr/brand.json', '",', '"'],
  ['en/contact.json', 'From {min} to {max}', 'At least {min}'],
  ['fr/brand.json', '"tagline": "', '"tagline": "Notre métier : conseil, '],
  ['company.json', 'info@', 'info@@'],
] as const

test.each([
  ['en', 'docs/editing.md'],
  ['fr', 'docs/editing.fr.md'],
] as const)(
  '%s: the guide to the content shows what the check answers, and is right about the texts',
  (language, name) => {
    const guide = read(name)
    const answers = FAULTS.flatMap(([file, from, to]) => {
      const folder = mkdtempSync(join(cwd, 'content-'))
      cpSync(join(ROOT, 'shared/content'), folder, { recursive: true })
      const text = readFileSync(join(folder, file), 'utf8')
      writeFileSync(join(folder, file), text.replace(from, to))
      const { faults, warnings } = checkContent(folder, language)
      return [...faults, ...warnings]
    })
    const flat = (text: string) => text.replace(/\s+/g, ' ')
    const shown = guide.match(/(?:^> .*\n)+/gm) ?? []
    expect(shown.length).toBeGreaterThan(5)
    for (const quote of shown) {
      const [start = '', end = ''] = flat(quote.replace(/^> /gm, '')).trim().split('…')
      expect(answers.map(flat)).toContainEqual(
        expect.stringMatching(new RegExp(`^${RegExp.escape(start)}.*${RegExp.escape(end)}$`)),
      )
    }

    const [, fixed = ''] =
      /(?:\n\n)(?:These sentences|Ces phrases) ([\s\S]*?)\n\n/.exec(guide) ?? []
    const wording = read('test/shared/sentences.test.ts')
    const keys = findCode(fixed).filter(
      (code) => /^\w+\.[\w-]+$/.test(code) && !code.endsWith('.json'),
    )
    expect(keys.length).toBeGreaterThan(9)
    for (const key of keys) {
      const [, text] = texts.find(([name]) => name.endsWith(`.${key}`)) ?? []
      expect(wording).toContain(text)
    }
    const count = (key: RegExp) =>
      listTexts(CONTENT[language]).filter(([name]) => key.test(name)).length
    const lists = [/deliverables\[/, /services.*features\[/, /reasons\[/].map((key) =>
      String(count(key)),
    )
    const line = guide.split('\n').find((text) => /^(?:Sign|Signez) /.test(text))
    expect(line?.match(/\d+/g)).toEqual(lists)
  },
)

describe('docs/api.md', () => {
  const page = read('docs/api.md')

  /** Replaces values that differ between runs; numbers the references. */
  function settle(answer: string): string {
    const references: string[] = []
    return answer
      .replace(/RG-\w{5}-\w{5}/g, (reference) => {
        if (!references.includes(reference)) references.push(reference)
        return `REFERENCE ${references.indexOf(reference)}`
      })
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'REQUEST')
      .replace(/pk=:[^:]+:/g, 'pk=HASH')
      .replace(/\}\s*\{/g, '}{')
  }

  /** Parses JSON, so that its line breaks do not matter in a comparison. */
  function readAnswer(answer: string): unknown {
    const text = settle(answer).trim()
    return text.startsWith('{') ? JSON.parse(`[${text.replaceAll('}{', '},{')}]`) : text
  }

  let site: Site
  beforeAll(async () => {
    site = await startSite({ realTime: true })
  })
  afterAll(() => site.stop())

  test('every command has the documented answer', async () => {
    const commands = findBlocks(page, 'sh')
    const answers = [...page.matchAll(BLOCK)].filter(([, kind]) => kind !== 'sh')
    expect(answers).toHaveLength(commands.length)
    for (const [index, command] of commands.entries()) {
      const script = command.replaceAll('http://localhost:3000', site.url)
      const { stdout } = await shell('-ec', script)
      const answer = readAnswer(answers[index]?.[2] ?? '')
      expect({ command, answer: readAnswer(stdout) }).toEqual({ command, answer })
    }
  })

  test('its client survives a lost answer, an empty 502, a sick store and a wrong clock', async () => {
    const sent: { formStartTime: string }[] = []
    const answer = (res: ServerResponse, status: number, code: string, headers = {}) =>
      res.writeHead(status, { 'Retry-After': '0', ...headers }).end(JSON.stringify({ code }))
    const answers: ((res: ServerResponse) => unknown)[] = [
      (res) => res.destroy(),
      (res) => res.writeHead(502, { 'Retry-After': '0' }).end(),
      (res) => answer(res, 503, 'unavailable'),
      (res) => answer(res, 400, 'too-fast', { 'Form-Start-Time': '1777896000000' }),
      (res) => res.end('{"reference":"RG-2V8NC-W4HJD"}'),
    ]
    await using flaky = createServer(async (req, res) => {
      sent.push(JSON.parse(Buffer.concat(await req.toArray()).toString()))
      answers.shift()?.(res)
    }).listen(0, '127.0.0.1')
    await once(flaky, 'listening')
    const url = `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`
    const script = findBlocks(page, 'sh').find((block) => block.includes('send.mjs')) ?? ''
    const { stdout } = await shell('-ec', script.replaceAll('http://localhost:3000', url))
    expect(stdout).toBe('RG-2V8NC-W4HJD\n')
    expect(sent.at(-1)?.formStartTime).toBe('1777896000000')
  })

  test('names every field, service, limit, and code with its status', () => {
    const rows = findRows('docs/api.md', 'status').flatMap(([status = '', codes]) =>
      findCode(codes).map((code) => [code, Number(status)]),
    )
    const faults = FAULT_CODES.map((code) => [code, 400])
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries([...Object.entries(PROBLEMS), ...faults]),
    )
    const fields = findRows('docs/api.md', 'field').flatMap(([names]) => findCode(names))
    expect(fields.toSorted()).toEqual(FIELDS.toSorted())
    const named = [
      ...SERVICE_IDS.map((service) => `\`${service}\``),
      `at most ${NAME_MAX_LENGTH} characters`,
      `at most ${EMAIL_MAX_LENGTH} characters`,
      `${MESSAGE_MIN_LENGTH} to ${MESSAGE_MAX_LENGTH} characters`,
      `at least ${MIN_FILL_MS / 1000} s ago`,
      `at most ${MAX_CONTACT_BYTES / 1024} KiB`,
      `${REFUSAL_LIMIT.count} refusals in ${REFUSAL_LIMIT.windowMinutes} minutes`,
      `${REPEAT_HOURS} hours`,
    ]
    expect(named.filter((text) => !page.includes(text))).toEqual([])
  })
})
