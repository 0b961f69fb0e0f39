import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { company, findPlaceholders } from '../../shared/content/company.ts'
import { startSmtp } from '../../tools/harness/smtp.ts'
import { createFolder } from '../support/folders.ts'
import { createStored } from '../support/inbox.ts'
import { createOperatedHost, type Fault } from '../support/operated-host.ts'

const root = createFolder()
const open = (kind?: 'sqlite' | 'postgres') => createOperatedHost(root, kind)

const isChange = (call: string) =>
  / (up|stop) |DROP|RENAME|mv restored| import |git checkout/.test(call)

/** Replaces `sync`, which is the last step before a file takes its place. */
function replaceSync({ folder, write }: ReturnType<typeof open>, command: string) {
  write('bin/sync', `#!/bin/sh\n${command}\n`)
  chmodSync(join(folder, 'bin/sync'), 0o755)
}

/** The calls have these parts, in this order. */
function expectOrder(calls: string[], ...parts: string[]) {
  let from = 0
  for (const part of parts) {
    const at = calls.findIndex((call, index) => index >= from && call.includes(part))
    expect([part, at >= from]).toEqual([part, true])
    from = at + 1
  }
}

describe('update', () => {
  test('of SQLite builds, backs up, and only then replaces', async () => {
    const { site, newer, setting, head } = open()
    const { status, calls, text } = await site('update --yes')
    expect([status, text]).toEqual([0, expect.stringContaining(`Done: ${newer} runs.`)])
    expectOrder(calls, `build --quiet --tag rg-website:${newer}`, 'pull', 'backup.sh manual')
    expectOrder(calls, 'backup.sh manual', '180 site', '180 caddy', ' backup', 'curl ')
    expect([setting('REVISION'), head()]).toEqual([newer, newer])
  })

  test('of PostgreSQL replaces one site after the other', async () => {
    const { site } = open('postgres')
    const { status, calls } = await site('update --yes')
    expect(status).toBe(0)
    expectOrder(calls, 'backup.sh manual', '180 database', '180 site-1', '180 site-2', '180 caddy')
  })

  test.each<[string, string, Fault[], string]>([
    ['a failed build', 'update', [['build', 1]], 'The build failed'],
    ['a failed backup', 'update', [['backup.sh', 1]], 'The backup failed'],
    ['a wrong setting', 'settings', [['--check', 1, 'MAIL_TO is\n']], 'MAIL_TO is'],
  ])('%s replaces nothing', async (_, verb, faults, words) => {
    const { site, old, setting, head } = open()
    const { status, text, calls } = await site(`${verb} --yes`, faults)
    expect([status, text]).toEqual([1, expect.stringContaining(words)])
    expect(calls.filter(isChange)).toEqual([])
    expect([setting('REVISION'), head()]).toEqual([old, old])
  })

  test('goes back by itself when the new build does not start', async () => {
    const { site, old, newer, setting, head } = open()
    const { status, text } = await site('update --yes', [[`${newer} compose up`, 1]])
    expect([status, text]).toEqual([1, expect.stringContaining(`Goes back to ${old}`)])
    expect(text).toContain(`${newer} does not work, so ${old} runs again`)
    expect([setting('REVISION'), head()]).toEqual([old, old])
  })

  test('killed before the new build starts, goes on', async () => {
    const { site, newer, setting } = open()
    expect((await site('update --yes', [['up --detach', 'kill']])).status).not.toBe(0)
    expect((await site('update --yes')).status).toBe(0)
    expect(setting('REVISION')).toBe(newer)
  })

  test('killed while it writes .env, goes on', async () => {
    const play = open()
    replaceSync(play, 'kill -9 "$(cat "$PLAY/pid")"; exit 1')
    expect((await play.site('update --yes')).status).not.toBe(0)
    expect(play.setting('REVISION')).toBe(play.old)
    replaceSync(play, '')
    const { status, text } = await play.site('update --yes')
    expect([status, text]).toEqual([0, expect.stringContaining(`Done: ${play.newer} runs.`)])
  })

  test('refuses no answer, a dirty tree, an older build and a new major version of PostgreSQL', async () => {
    const { site, old, newer, write, git, commit, read: readFile, setBuild } = open('postgres')
    const refuse = async (words: string, because: string) => {
      const { status, text, calls } = await site(words)
      expect([status, text]).toEqual([1, expect.stringContaining(because)])
      expect(calls.filter(isChange)).toEqual([])
    }
    await refuse('update', 'Add --yes')
    setBuild(newer)
    await refuse(`update --yes ${old}`, `deploy/site rollback ${old}`)
    write('host/Caddyfile', 'changed')
    await refuse('update --yes', ' M Caddyfile')
    git('checkout', '--quiet', '--force', newer)
    const compose = readFile('host/compose.postgres.yaml')
    write('host/compose.postgres.yaml', compose.replaceAll(/postgres:\d+/g, 'postgres:99'))
    const next = commit('README.md', 'three')
    git('push', '--quiet', 'origin', `${next}:main`)
    git('checkout', '--quiet', '--detach', newer)
    await refuse('update --yes', 'brings postgres:99')
  })

  test('names the placeholders of company.json, and asks before they go public', async () => {
    const { site, old, setting, write } = open()
    const found = findPlaceholders(company)
    const answers = 'y\\nn\\n'
    write('real', '')
    const { status, text, calls } = await site('update', [], answers)
    expect([status, text]).toEqual([1, expect.stringContaining(`placeholders: ${found.join(' ')}`)])
    expect([setting('REVISION'), calls.filter(isChange)]).toEqual([old, []])
  })
})

test('a rollback over changed tables makes the other store whole before it takes its place', async () => {
  const { site, changed, newer, setting, setBuild } = open('postgres')
  setBuild(changed)
  const { status, calls } = await site(`rollback ${newer} --yes`, [[' stats', 0, 'new 0\n']])
  expect([status, setting('REVISION')]).toEqual([0, newer])
  expectOrder(calls, `--tag rg-website:${newer}`, 'createdb', 'stop site-1 site-2', ' export ')
  expectOrder(calls, ' export ', 'backup.sh manual', ' import ', 'RENAME TO inbox', ' up ')
})

describe('restore', () => {
  const backup = 'nightly-2026-11-22.sqlite'
  const restore = `restore ${backup} --yes`

  test('killed once the store is replaced, has kept what came since and erased again what was erased', async () => {
    const { site, inbox, folder, read, write } = open()
    const [kept = '', erased = '', later = ''] = ['A', 'B', 'C'].map((x) => `RG-AAAAA-AAAA${x}`)
    const importAll = (references: string[]) => {
      const lines = references.map((reference) => JSON.stringify(createStored({ reference })))
      write('messages.jsonl', lines.join('\n'))
      return inbox('import', join(folder, 'messages.jsonl'))
    }
    const readStore = async () =>
      (await inbox('export', '--format', 'jsonl')).stdout.match(/RG-\w{5}-\w{5}/g)
    write('real', '')
    await importAll([kept, erased])
    await inbox('backup', join(folder, 'backups', backup))
    await importAll([later])
    expect((await site(`inbox erase ${erased}`)).status).toBe(0)
    expect(read('backups/erased')).toBe(`${erased}\n`)
    expect((await site(restore, [['mv restored.sqlite', 'kill-after']])).status).not.toBe(0)
    expect(await readStore()).toEqual([kept, later])
  })

  test.each<[string, Fault[], string]>([
    ['an export that fails', [['export', 1]], 'stays as it was'],
    ['an export that is not whole', [['stats', 0, 'new: 2\n']], '0 of 2 messages'],
    ['a full disk', [['import', 1]], 'stays as it was'],
  ])('%s leaves the store, and the site runs on', async (_, faults, words) => {
    const { site, folder } = open()
    const { status, text, calls } = await site(restore, faults)
    expect([status, text]).toEqual([1, expect.stringContaining(words)])
    expect(calls.filter((call) => call.includes('mv restored'))).toEqual([])
    expect(existsSync(join(folder, 'runs/site'))).toBe(true)
  })

  test('goes on over a damaged store, says how many messages it could read, and keeps the store', async () => {
    const { site } = open()
    const { status, text, calls } = await site(restore, [
      ['stats', 0, 'new: 2\n'],
      ['site node server/inbox/cli.ts export', 3, '{}\n'],
      ['backup.sh', 1],
    ])
    expect(text).toContain('1 of 2 messages could be read')
    expect([status, text]).toEqual([0, expect.stringContaining('stays as `before`')])
    expect(calls.find((call) => call.includes('mv restored'))).toContain('sh yes')
  })

  test('a damaged backup stops no site', async () => {
    const { site } = open()
    const { status, text, calls } = await site(restore, [['verify', 1]])
    expect([status, text]).toEqual([1, expect.stringContaining('Nothing was changed')])
    expect(calls.filter((call) => call.includes(' stop '))).toEqual([])
  })
})

test('two acts at once: the second is refused', async () => {
  const { site, host } = open()
  const other = spawn('flock', [host, 'sh', '-c', 'echo locked; read wait'])
  await once(other.stdout, 'data')
  const { status, text, calls } = await site('settings --yes')
  other.stdin.end()
  await once(other, 'exit')
  expect([status, text]).toEqual([1, expect.stringContaining('Another deploy/site is at work')])
  expect(calls.filter(isChange)).toEqual([])
})

test('install makes .env to fill in, names a missing setting, and starts after a look at the settings', async () => {
  const { site, host, write, read: readFile } = open()
  rmSync(join(host, '.env'))
  expect((await site('install')).text).toContain('Fill in .env')
  expect(statSync(join(host, '.env')).mode & 0o777).toBe(0o600)
  expect((await site('install')).status).toBe(1)
  const mail = 'SMTP_URL=smtps://a\nMAIL_FROM=a@b.ca\nMAIL_TO=a@b.ca\n'
  write('host/.env', readFile('host/.env').replace(/^SITE_HOST=$/m, 'SITE_HOST=localhost') + mail)
  const { status, calls, text } = await site('install --yes')
  expect([status, text]).toEqual([0, expect.stringContaining('deploy/site nightly')])
  expectOrder(calls, 'build ', '--network none', '--check', '180 site', 'curl ')
})

test('install on a full disk leaves no part of .env', async () => {
  const play = open()
  rmSync(join(play.host, '.env'))
  replaceSync(play, 'exit 1')
  const { status, text } = await play.site('install')
  expect([status, text]).toEqual([1, expect.stringContaining('is the disk full?')])
  expect(existsSync(join(play.host, '.env'))).toBe(false)
  replaceSync(play, '')
  expect((await play.site('install')).text).toContain('Fill in .env')
})

describe('nightly', () => {
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toLocaleDateString('sv')
  const stats = (hours = 0, day = '2026-01-01') =>
    `new: 1\nhours that the oldest new message waits: ${hours}\nerrors in browsers on ${day}: 3\n`

  async function night(faults: Fault[], change = (_: ReturnType<typeof open>) => {}) {
    const smtp = await startSmtp()
    const play = open()
    play.write('real', '')
    const mailUrl = `SMTP_URL='smtp://127.0.0.1:${smtp.port}'\n`
    play.write('host/.env', play.read('host/.env').replace(/^SMTP_URL=.*\n/m, mailUrl))
    change(play)
    const result = await play.site('nightly', [...faults, [' stats', 0, stats()]])
    await smtp.stop()
    return { ...result, mails: smtp.mails.map(({ email, to }) => ({ text: email.text, to })) }
  }

  test('mails nothing when all is well', async () => {
    expect(await night([])).toMatchObject({ status: 0, mails: [] })
  })

  test('mails everything that is wrong, by the transport of the site', async () => {
    const faults: Fault[] = [
      ['stats', 0, stats(5, yesterday)],
      ['ps -a', 0, 'site running unhealthy\ncaddy running healthy\nbackup running unhealthy\n'],
      ['info', 0, '/full\n'],
    ]
    const { status, mails } = await night(faults, ({ folder, write }) => {
      write('bin/df', '#!/bin/sh\ncase $* in *full) echo 91% ;; *) echo 1% ;; esac\n')
      chmodSync(join(folder, 'bin/df'), 0o755)
    })
    expect([status, mails.length, mails[0]?.to]).toEqual([1, 1, ['office@example.ca']])
    for (const words of [
      'site does not run',
      'No nightly backup',
      'waited for 5 hours',
      `errors in browsers on ${yesterday}: 3`,
      'disk is full to 91 %',
    ]) {
      expect(mails[0]?.text).toContain(words)
    }
  })

  test('says it on standard error when no container starts', async () => {
    const { status, text, mails } = await night([
      ['version', 1],
      ['compose exec', 1],
    ])
    expect([status, mails]).toEqual([1, []])
    expect(text).toContain('Docker does not answer')
  })
})
