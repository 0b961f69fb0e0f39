import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { company, findPlaceholders } from '../../shared/content/company.ts'
import { startSmtp } from '../../tools/harness/smtp.ts'
import { createFolder } from '../support/folders.ts'
import { createStored } from '../support/inbox.ts'
import { createOperatedHost, type Fault } from '../support/operated-host.ts'

/** The tests of a block share one host, because a new one costs as much as a test. */
const root = createFolder()

const isChange = (call: string) =>
  / (up|stop) |DROP|RENAME|mv restored| import |git checkout/.test(call)

/** Replaces `sync`, which is the last step before a file takes its place. */
const replaceSync = ({ write }: ReturnType<typeof createOperatedHost>, command: string) =>
  write('bin/sync', `#!/bin/sh\n${command}\n`, { mode: 0o755 })

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
  const operated = createOperatedHost(root)
  const { site, old, newer, changed, git, setting, head, write, remove } = operated
  const getBuilds = () => [setting('REVISION'), head()]

  test.each<[string, string, Fault[], string]>([
    ['a failed build', 'update', [['build', 1]], 'The build failed'],
    ['a failed backup', 'update', [['backup.sh', 1]], 'The backup failed'],
    ['a wrong setting', 'settings', [['--check', 1, 'MAIL_TO is\n']], 'MAIL_TO is'],
  ])('%s replaces nothing', async (_, verb, faults, words) => {
    const { status, text, calls } = await site(`${verb} --yes`, faults)
    expect([status, text]).toEqual([1, expect.stringContaining(words)])
    expect(calls.filter(isChange)).toEqual([])
    expect(getBuilds()).toEqual([old, old])
  })

  test.each(['update', `rollback ${old}`, 'restore x.sqlite', 'settings'])(
    '%s asks first, and an empty answer is a no',
    async (verb) => {
      const silent = await site(verb)
      expect([silent.status, silent.text]).toEqual([1, expect.stringContaining('Add --yes')])
      const { status, text, calls } = await site(verb, [], '\\n')
      expect([status, text]).toEqual([1, expect.stringContaining('Nothing was done.')])
      expect([...silent.calls, ...calls].filter(isChange)).toEqual([])
    },
  )

  test('names the placeholders of company.json, and asks before they go public', async () => {
    write('real', '')
    const { status, text, calls } = await site('update', [], 'y\\nn\\n')
    remove('real')
    const found = findPlaceholders(company).join(' ')
    expect([status, text]).toEqual([1, expect.stringContaining(`placeholders: ${found}`)])
    expect([getBuilds(), calls.filter(isChange)]).toEqual([[old, old], []])
  })

  test('goes back by itself when the new build does not start', async () => {
    const { status, text } = await site('update --yes', [[`${newer} compose up`, 1]])
    expect([status, text]).toEqual([1, expect.stringContaining(`Goes back to ${old}`)])
    expect(text).toContain(`${newer} does not work, so ${old} runs again`)
    expect(getBuilds()).toEqual([old, old])
  })

  test('goes back also when it was killed after the new build had started', async () => {
    await site('update --yes', [[`${newer} compose up`, 'kill-after']])
    const { status, text } = await site('update --yes', [[`${newer} compose up`, 1]])
    expect([status, text]).toEqual([1, expect.stringContaining(`so ${old} runs again`)])
    expect(getBuilds()).toEqual([old, old])
  })

  test('builds, backs up, and only then replaces, also when it was killed before', async () => {
    replaceSync(operated, 'kill -9 "$(cat "$PLAY/pid")"; exit 1')
    expect((await site('update --yes')).status).not.toBe(0)
    expect(setting('REVISION')).toBe(old)
    remove('bin/sync')
    expect((await site('update --yes', [['up --detach', 'kill']])).status).not.toBe(0)
    const { status, calls, text } = await site('update --yes')
    expect([status, text]).toEqual([0, expect.stringContaining(`Done: ${newer} runs.`)])
    expectOrder(calls, `build --quiet --tag rg-website:${newer}`, 'pull', 'backup.sh manual')
    expectOrder(calls, 'backup.sh manual', '180 site', '180 caddy', ' backup', 'curl ')
    expect(getBuilds()).toEqual([newer, newer])
  })

  test('a rollback backs up first, too', async () => {
    const { status, calls } = await site(`rollback ${old} --yes`)
    expect([status, getBuilds()]).toEqual([0, [old, old]])
    expectOrder(calls, 'backup.sh manual', '180 site', 'curl ')
  })

  test('goes back over its own store when the new build could not change the tables', async () => {
    git('push', '--quiet', 'origin', `${changed}:main`)
    const { calls } = await site('update --yes', [[`${changed} compose up`, 1]])
    expect([getBuilds(), calls.filter((call) => call.includes('restored'))]).toEqual([
      [old, old],
      [],
    ])
  })
})

describe('over PostgreSQL', () => {
  const host = createOperatedHost(root, 'postgres')
  const { site, old, newer, changed, write, read, git, setting, setBuild } = host

  test('an update replaces one site after the other', async () => {
    const { status, calls } = await site('update --yes')
    expect([status, setting('REVISION')]).toEqual([0, newer])
    expectOrder(calls, 'backup.sh manual', '180 database', '180 site-1', '180 site-2', '180 caddy')
  })

  test('an update refuses no answer, a dirty tree, an older build and a new major version of PostgreSQL', async () => {
    const refuse = async (words: string, because: string) => {
      const { status, text, calls } = await site(words)
      expect([status, text]).toEqual([1, expect.stringContaining(because)])
      expect(calls.filter(isChange)).toEqual([])
    }
    await refuse('update', 'Add --yes')
    await refuse(`update --yes ${old}`, `deploy/site rollback ${old}`)
    write('host/Caddyfile', 'changed')
    await refuse('update --yes', ' M Caddyfile')
    git('checkout', '--quiet', '--force', newer)
    const compose = read('host/compose.postgres.yaml')
    write('host/compose.postgres.yaml', compose.replaceAll(/postgres:\d+/g, 'postgres:99'))
    const next = host.commit('README.md', 'three')
    git('push', '--quiet', 'origin', `${next}:main`)
    git('checkout', '--quiet', '--detach', newer)
    await refuse('update --yes', 'brings postgres:99')
  })

  test('a rollback over changed tables makes the other store whole before it takes its place', async () => {
    setBuild(changed)
    const { status, calls } = await site(`rollback ${newer} --yes`, [
      [`${newer} compose run --rm -T --no-deps site-1 node server/inbox/cli.ts stats`, 1],
      [' stats', 0, 'new 0\n'],
    ])
    expect([status, setting('REVISION')]).toEqual([0, newer])
    expectOrder(calls, 'createdb', 'stop site-1 site-2', ' export ', 'backup.sh manual')
    expectOrder(calls, 'backup.sh manual', ' import ', 'RENAME TO inbox', ' up ')
  })
})

describe('restore', () => {
  const { site, inbox, folder, read, write } = createOperatedHost(root)
  const backup = 'nightly-2026-11-22.sqlite'
  const restore = `restore ${backup} --yes`

  test.each<[string, Fault[], string]>([
    ['a damaged backup', [['verify', 1]], 'Nothing was changed'],
    ['an export that is not whole', [['stats', 0, 'new: 2\n']], '0 of 2 messages'],
    ['a full disk', [['import', 1]], 'stays as it was'],
  ])('%s leaves the store, and the site runs on', async (_, faults, words) => {
    const { status, text, calls } = await site(restore, faults)
    expect([status, text]).toEqual([1, expect.stringContaining(words)])
    expect(calls.filter((call) => call.includes('mv restored'))).toEqual([])
    expect(existsSync(join(folder, 'runs/site'))).toBe(true)
  })

  test('goes on over a damaged store, says how many messages it could read, and keeps the store', async () => {
    const { status, text, calls } = await site(restore, [
      ['stats', 0, 'new: 2\n'],
      ['site node server/inbox/cli.ts export', 3, '{}\n'],
      ['backup.sh', 1],
    ])
    expect(text).toContain('1 of 2 messages could be read')
    expect([status, text]).toEqual([0, expect.stringContaining('stays as `before`')])
    expect(calls.find((call) => call.includes('mv restored'))).toContain('sh yes')
  })

  test('killed once the store is replaced, has kept what came since and erased again what was erased', async () => {
    const [kept = '', erased = '', later = ''] = ['A', 'B', 'C'].map((x) => `RG-AAAAA-AAAA${x}`)
    const importAll = (references: string[]) => {
      const lines = references.map((reference) => JSON.stringify(createStored({ reference })))
      write('messages.jsonl', lines.join('\n'))
      return inbox('import', join(folder, 'messages.jsonl'))
    }
    write('real', '')
    await importAll([kept, erased])
    await inbox('backup', join(folder, 'backups', backup))
    await importAll([later])
    expect((await site(`inbox erase ${erased}`)).status).toBe(0)
    expect(read('backups/erased')).toBe(`${erased}\n`)
    // A call that was killed before the list was written can be repeated.
    write('backups/erased', '')
    expect((await site(`inbox erase ${erased}`)).status).toBe(1)
    expect(read('backups/erased')).toBe(`${erased}\n`)
    const { status } = await site(restore, [
      ['verify', 0],
      ['backup.sh manual', 0],
      ['mv restored.sqlite', 'kill-after'],
    ])
    expect(status).not.toBe(0)
    const [, text] = await inbox('export', '--format', 'jsonl')
    expect(text.match(/RG-\w{5}-\w{5}/g)).toEqual([kept, later])
  })
})

describe('install', () => {
  const operated = createOperatedHost(root)
  const { site, host, write, read, remove } = operated

  test('of two acts at once, the second is refused', async () => {
    const other = spawn('flock', [host, 'sh', '-c', 'echo locked; read wait'])
    await once(other.stdout, 'data')
    const { status, text, calls } = await site('settings --yes')
    other.stdin.end()
    await once(other, 'exit')
    expect([status, text]).toEqual([1, expect.stringContaining('Another deploy/site is at work')])
    expect(calls.filter(isChange)).toEqual([])
  })

  test('makes .env to fill in, names a missing setting, and starts after a look at the settings', async () => {
    remove('host/.env')
    replaceSync(operated, 'exit 1')
    const full = await site('install')
    expect([full.status, full.text]).toEqual([1, expect.stringContaining('is the disk full?')])
    expect(existsSync(join(host, '.env'))).toBe(false)
    remove('bin/sync')
    expect((await site('install')).text).toContain('Fill in .env')
    expect(statSync(join(host, '.env')).mode & 0o777).toBe(0o600)
    expect((await site('install')).status).toBe(1)
    const mail = 'SMTP_URL=smtps://a\nMAIL_FROM=a@b.ca\nMAIL_TO=a@b.ca\n'
    write('host/.env', read('host/.env').replace(/^SITE_HOST=$/m, 'SITE_HOST=localhost') + mail)
    const { status, calls, text } = await site('install --yes')
    expect([status, text]).toEqual([0, expect.stringContaining('deploy/site nightly')])
    expectOrder(calls, 'build ', '--network none', '--check', '180 site', 'curl ')
  })
})

describe('nightly', () => {
  const { site, read, write } = createOperatedHost(root)
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toLocaleDateString('sv')
  const stats = (hours = 0, day = '2026-01-01'): Fault => [
    'stats',
    0,
    `new: 1\nhours that the oldest new message waits: ${hours}\nerrors in browsers on ${day}: 3\n`,
  ]
  const smtp = startSmtp()
  afterAll(async () => (await smtp).stop())

  test('mails nothing when all is well', async () => {
    const { port, mails } = await smtp
    write('real', '')
    const mailUrl = `SMTP_URL='smtp://127.0.0.1:${port}'\n`
    write('host/.env', read('host/.env').replace(/^SMTP_URL=.*\n/m, mailUrl))
    expect((await site('nightly', [stats()])).status).toBe(0)
    expect(mails).toEqual([])
  })

  test('says on standard error what is wrong when no container starts', async () => {
    const faults: Fault[] = [
      ['version', 1],
      ['compose exec', 1],
    ]
    const { status, text } = await site('nightly', faults)
    expect([status, text]).toEqual([1, expect.stringContaining('Docker does not answer')])
    expect((await smtp).mails).toEqual([])
  })

  test('mails everything that is wrong, by the transport of the site', async () => {
    const df = '#!/bin/sh\ncase $* in *full) echo 91% ;; *) echo 1% ;; esac\n'
    write('bin/df', df, { mode: 0o755 })
    const { status } = await site('nightly', [
      stats(5, yesterday),
      ['ps -a', 0, 'site running unhealthy\ncaddy running healthy\nbackup running unhealthy\n'],
      ['info', 0, '/full\n'],
    ])
    const { mails } = await smtp
    expect([status, mails.map(({ to }) => to)]).toEqual([1, [['office@example.ca']]])
    for (const words of [
      'site does not run',
      'No nightly backup',
      'waited for 5 hours',
      `errors in browsers on ${yesterday}: 3`,
      'disk is full to 91 %',
    ]) {
      expect(mails[0]?.email.text).toContain(words)
    }
  })
})
