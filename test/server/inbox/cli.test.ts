import { execFileSync, spawnSync } from 'node:child_process'
import { formatCell } from '../../../server/inbox/command/export-formats.ts'
import type { NewMessage } from '../../../server/inbox/inbox.ts'
import { CLI } from '../../../tools/harness/project.ts'
import { createSqlitePlace, keepMessages, runCommand, setUpPlace } from './places.ts'

const place = setUpPlace(createSqlitePlace)

const run = (...args: string[]) => runCommand(place, args)

const keep = (...changes: Partial<NewMessage>[]) => keepMessages(place, changes)

test('lets no message control the terminal', async () => {
  const poison = 'a\u001b[2Jb\u009bc\u0007d\u202ee\u2028f\rg'
  const [reference] = await keep({ message: poison, lastName: poison })
  for (const { out } of [await run('list'), await run('show', String(reference))]) {
    expect(out).toContain('a\\u{1b}[2Jb')
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028]/u)
  }
})

test('exports CSV that spreadsheets read without running it', async () => {
  const [first, second] = await keep(
    { firstName: '=cmd|1', lastName: '+1', email: '-2', message: '@x "y", z\n=1' },
    { firstName: '\tx', lastName: 'É, B', email: 'a=b@c.ca', message: '👩🏽‍🚒\r\n"' },
  )
  const { status, out } = await run('export', '--format', 'csv')
  expect(status).toBe(0)
  const time = '2026-05-04T12:00:00.00'
  expect(out).toBe(
    '\uFEFFreference,receivedAt,status,firstName,lastName,email,service,message,language\r\n' +
      `${first},${time}0Z,new,'=cmd|1,'+1,'-2,francophone,"'@x ""y"", z\n'=1",fr\r\n` +
      `${second},${time}1Z,new,'\tx,"É, B",a=b@c.ca,francophone,"👩🏽‍🚒\r\n""",fr\r\n`,
  )
})

test('runs as a process, and ends quietly when its reader closes', async () => {
  await keep(...Array.from({ length: 600 }, (_, n) => ({ message: `${n} `.padEnd(2000, 'é') })))
  const DATABASE_URL = `sqlite:${place.path}`
  const env = { ...process.env, DATABASE_URL, NODE_OPTIONS: '', LC_ALL: 'C' }
  const command = `"${process.execPath}" "${CLI}" export --format csv`
  const out = execFileSync('sh', ['-c', command], { env, maxBuffer: 1e8, encoding: 'utf8' })
  expect(out.match(/\r\n/g)).toHaveLength(601)
  const headed = spawnSync('bash', ['-o', 'pipefail', '-c', `${command} | head -n 1`], { env })
  expect([headed.status, String(headed.stderr)]).toEqual([0, ''])
  expect(spawnSync(process.execPath, [CLI, 'burn'], { env }).status).toBe(2)
  const url = { ...env, DATABASE_URL: 'mysql://x' }
  const misnamed = spawnSync(process.execPath, [CLI, 'list'], { env: url, encoding: 'utf8' })
  const stderr = expect.stringContaining('DATABASE_URL is not')
  expect(misnamed).toMatchObject({ status: 1, stderr })
  const french = spawnSync(process.execPath, [CLI, 'list', '--lang', 'fr'], { env: url })
  expect(String(french.stderr)).toMatch(/incorrectes .*\u00a0:\n {2}DATABASE_URL is not/)
})

test('an export fails if its file cannot grow any more', async () => {
  await keep(...Array.from({ length: 30 }, (_, n) => ({ message: `${n} `.padEnd(1000, 'é') })))
  const env = { DATABASE_URL: `sqlite:${place.path}`, LC_ALL: 'C' }
  const exports = ['-c', 'ulimit -f 8; exec "$0" "$@" > cut.csv', process.execPath, CLI]
  const options = { encoding: 'utf8', env, cwd: place.folder } as const
  expect(spawnSync('sh', [...exports, 'export', '--format', 'csv'], options)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('EFBIG'),
  })
})

test.each([true, false])('reads a store that it cannot write; open too: %j', async (isOpen) => {
  const [reference = ''] = await keep({})
  if (isOpen) await place.open().audit('list', '')
  const env = { DATABASE_URL: `sqlite:${place.path}`, LC_ALL: 'C' }
  // No file that this process writes may grow, as on a full disk.
  const limited = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, CLI]
  const runFull = (...args: string[]) =>
    spawnSync('sh', [...limited, ...args], { encoding: 'utf8', env })
  for (const args of [['list'], ['export', '--format', 'csv'], ['show', reference]]) {
    expect(runFull(...args)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(reference),
      stderr: expect.stringMatching(/^The inbox could not note .*\n$/),
    })
  }
  for (const command of ['stats', 'verify']) {
    expect(runFull(command)).toMatchObject({ status: 0, stderr: '' })
  }
  expect(runFull('erase', reference).status).toBe(1)
  expect((await run('show', reference)).status).toBe(0)
})
test.each([
  ['=1+1', `'=1+1`],
  ['\t=1', `'\t'=1`],
  ['x;=1+1', `x;'=1+1`],
  ['x,+1', `"x,'+1"`],
  ['x\t-1', `x\t'-1`],
  ['x\n@A1', `"x\n'@A1"`],
  ['x\r\n=1', `"x\r\n'=1"`],
  ['x\r=1', `"x\r'=1"`],
  ['x;"=1"', `"x;""'=1"""`],
  ['"=1"', `"""'=1"""`],
  [';;＝1;-', `;;'＝1;'-`],
  ['=;=', `'=;'=`],
  ['a=b; c-d, e+f', '"a=b; c-d, e+f"'],
  ['zoe@exemple.ca', 'zoe@exemple.ca'],
  ['L’Écuyer-O’Neil', 'L’Écuyer-O’Neil'],
])('no spreadsheet runs %j, with any separator, and other text stays', (text, cell) => {
  expect(formatCell(text)).toBe(cell)
})
