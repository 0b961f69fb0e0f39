import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { run as runProgram } from '../../tools/harness/process.ts'
import { ROOT, read } from '../../tools/harness/project.ts'
import { createFolder } from '../support/folders.ts'

/**
 * Stands in for docker and other programs: writes each call into the file `calls`, and answers as the first line of
 * the file `answers` says whose pattern matches: PATTERN, exit status, output, separated by tabs. `kill` kills the caller, `once` is 1 the first time.
 */
const RECORDER = `#!/bin/sh
call="\${0##*/} $(printf %s "$*" | tr '\\n' ' ')"
[ "\${REVISION:-}" ] && call="REVISION=$REVISION $call"
printf '%s\\n' "$call" >>"$PLAY/calls"
case $call in *' import '* | *'cli.ts erase '*) sed "s/^/  stdin: /" >>"$PLAY/calls" ;; curl*-K*) sed 's/^/  stdin: /' >>"$PLAY/secrets" ;; esac
tab=$(printf '\\t')
while IFS=$tab read -r pattern status output; do
  case $call in
  $pattern)
    printf '%b' "$output"
    if [ "$status" = once ]; then if [ -e "$PLAY/once" ]; then exit 0; fi; touch "$PLAY/once"; exit 1; fi
    [ "$status" != kill ] || kill -9 "$(cat "$PLAY/pid")"
    exit "$status"
    ;;
  esac
done <"$PLAY/answers"
`
const FILES = [
  'deploy/site',
  'compose.yaml',
  'compose.postgres.yaml',
  'Caddyfile',
  '.gitignore',
  'server/inbox/schema.ts',
]

type Answer = [pattern: string, status: number | 'kill' | 'once', output?: string]

const root = createFolder()

/** A checkout whose origin has one commit more than the build that runs, and one that changes the tables. */
function play(kind: 'sqlite' | 'postgres' = 'sqlite') {
  const folder = mkdtempSync(join(root, 'play-'))
  const host = join(folder, 'host')
  const bin = join(folder, 'bin')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.ca', ...args], {
      cwd: host,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  for (const file of FILES) cpSync(join(ROOT, file), join(host, file))
  git('init', '--quiet', '--initial-branch=main')
  function commit(file: string, text: string) {
    writeFileSync(join(host, file), text, { flag: 'a' })
    git('add', '--all')
    git('commit', '--quiet', '--message', file)
    return git('rev-parse', '--short=8', 'HEAD')
  }
  const old = commit('README.md', 'one')
  const newer = commit('README.md', 'two')
  git('clone', '--quiet', '--bare', '.', join(folder, 'origin'))
  git('remote', 'add', 'origin', join(folder, 'origin'))
  const changed = commit('server/inbox/schema.ts', '\n')
  git('checkout', '--quiet', '--detach', old)
  const backups = kind === 'sqlite' ? join(folder, 'volume') : join(host, 'backups')
  const backup = `nightly-2026-11-22.${kind === 'sqlite' ? 'sqlite' : 'dump'}`
  for (const each of [bin, backups]) mkdirSync(each)
  writeFileSync(join(backups, backup), '')
  for (const program of ['docker', 'curl', 'restic', 'sendmail'])
    writeFileSync(join(bin, program), RECORDER, { mode: 0o755 })
  const env = {
    COMPOSE_FILE: kind === 'sqlite' ? 'compose.yaml' : 'compose.postgres.yaml',
    REVISION: old,
    SITE_HOST: 'localhost',
    SMTP_URL: "'smtps://site:secret@mail.example.ca'",
    MAIL_FROM: 'site@example.ca',
    MAIL_TO: 'office@example.ca',
  }
  writeFileSync(
    join(host, '.env'),
    Object.entries(env)
      .map((each) => `${each.join('=')}\n`)
      .join(''),
  )
  const get = (file: string) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
  const usual = (revision: string): Answer[] => [
    ['*compose ps -q --status running*', 0, 'id\n'],
    ['*compose ps -aq*', 0, 'id\n'],
    ['*inspect -f {{.Config.Image}}*', 0, `rg-website:${revision}\n`],
    ['*inspect -f {{.Created}}*', 0, `${new Date().toISOString()}\n`],
    ['*volume inspect*', 0, `${backups}\n`],
    ['*cat /etc/caddy/Caddyfile*', 0, read('Caddyfile')],
    [
      '*config --services*',
      0,
      kind === 'sqlite' ? 'site\ncaddy\nbackup\n' : 'site-1\nsite-2\ncaddy\ndatabase\nbackup\n',
    ],
    ['*version -f*', 0, '28.0.0\n'],
  ]
  return {
    ...{ host, backups, backup, old, newer, changed, git, commit },
    /** Runs deploy/site, and resolves to the status, the output and the calls that change something. */
    async site(args: string[], answers: Answer[] = [], runs = old, more = {}) {
      const rows = [...answers, ...usual(runs)].map((row) =>
        row.join('\t').replaceAll('\\', '\\\\').replaceAll('\n', '\\n'),
      )
      writeFileSync(join(folder, 'answers'), `${rows.join('\n')}\n`)
      writeFileSync(join(folder, 'calls'), '')
      const script = `echo $$ >"$PLAY/pid"; exec sh deploy/site ${args.join(' ')} </dev/null`
      const { status, stdout, stderr } = await runProgram('sh', ['-c', `cd ${host}; ${script}`], {
        PLAY: folder,
        PATH: `${bin}:${process.env.PATH}`,
        ...more,
      })
      const isChange =
        /( up | stop | build| pull | restore | import | export |backup\.sh|run --rm|exec -T database|stdin:|cli.ts erase |restic |curl |image rm)/
      const calls = get('calls')
        .split('\n')
        .filter((line) => isChange.test(line))
      return { status, text: stdout + stderr, stdout, calls }
    },
    setting: (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(get('host/.env'))?.[1],
    get,
    head: () => git('rev-parse', '--short=8', 'HEAD'),
  }
}

/** The calls have these parts, in this order. */
function expectOrder(calls: string[], ...parts: string[]) {
  const first = parts.map((part) => ({ part, at: calls.findIndex((call) => call.includes(part)) }))
  expect(first.filter(({ at }) => at < 0)).toEqual([])
  expect(first).toEqual(first.toSorted((one, other) => one.at - other.at))
}

describe('update', () => {
  test.each([
    ['sqlite', ['180 site', '180 caddy', '--no-deps backup']],
    ['postgres', ['180 database', '180 site-1', '180 site-2', '180 caddy']],
  ] as const)('of %s backs up, builds, and only then replaces each', async (kind, starts) => {
    const { site, newer, setting, head } = play(kind)
    const { status, calls, text } = await site(['update', '--yes'])
    expect([status, text]).toEqual([0, expect.stringContaining(`Done: ${newer} runs.`)])
    const build = `REVISION=${newer} docker compose build`
    expectOrder(calls, 'backup.sh manual', build, ' pull ', ...starts, 'curl ')
    expect([setting('REVISION'), head()]).toEqual([newer, newer])
    expect(text).toMatch(/^\+ docker compose up .* site/m)
    expect(text).toMatch(/^\+ git checkout /m)
  })

  /** The date of each backup is in its name. */
  const BACKUP = 'nightly-2026-11-22'

  test.each<[string, 'sqlite' | 'postgres', string, Answer, string]>([
    ['a failed backup', 'sqlite', 'update', ['*backup.sh*', 1], 'The backup failed'],
    ['a failed build', 'sqlite', 'update', ['REVISION=*build', 1], 'The build failed'],
    ['a damaged file', 'sqlite', `restore ${BACKUP}.sqlite`, ['* verify*', 1], 'is damaged'],
    ['a damaged dump', 'postgres', `restore ${BACKUP}.dump`, ['*pg_restore*', 1], 'is damaged'],
    ['a wrong setting', 'sqlite', 'settings', ['*loadConfig*', 1, 'MAIL_TO is\n'], 'MAIL_TO is'],
    ['no image', 'postgres', 'new-postgres 19.9', ['*pull *database', 1], 'no postgres:19.9'],
  ])('%s replaces nothing, and the next act may begin', async (_, kind, args, answer, words) => {
    const { site, old, setting, head, get } = play(kind)
    const { status, text, calls } = await site([...args.split(' '), '--yes'], [answer])
    expect([status, text]).toEqual([1, expect.stringContaining(words)])
    expect(calls.filter((call) => / (up|stop) /.test(call))).toEqual([])
    expect([setting('REVISION'), head()]).toEqual([old, old])
    expect(get('host/private/unfinished')).toBe('')
  })

  test.each<Answer>([
    ['*180 site', 'once'],
    ['curl*', 'once'],
  ])('goes back by itself when `%s` fails', async (...failing) => {
    const { site, old, newer, setting, head } = play()
    const { status, text } = await site(['update', '--yes'], [failing, ['image inspect*', 0]])
    expect([status, text]).toEqual([1, expect.stringContaining(`Goes back to ${old}`)])
    expect(text).toContain(`${newer} does not work, so ${old} runs again`)
    expect([setting('REVISION'), head()]).toEqual([old, old])
  })

  test.each(['build', 'up --detach'])('killed at `%s` goes on without a backup', async (call) => {
    const { site, newer, setting } = play()
    const killed = await site(['update', '--yes'], [[`*compose ${call}*`, 'kill']])
    expect(killed.status).not.toBe(0)
    const other = await site(['rollback', 'HEAD', '--yes'])
    expect(other.text).toContain(
      `\`deploy/site update ${newer}\` did not end. Call it again first.`,
    )
    const { status, calls } = await site(['update', '--yes'])
    expect([status, setting('REVISION')]).toEqual([0, newer])
    expect(calls.filter((line) => line.includes('backup.sh'))).toEqual([])
  })

  test('refuses a dirty tree, an older build, and an update without an answer', async () => {
    const { site, old, newer, host } = play()
    const refusal = (words: string) => ({
      status: 1,
      calls: [],
      text: expect.stringContaining(words),
    })
    expect(await site(['update'])).toMatchObject(refusal('Add --yes'))
    expect(await site(['update', '--yes', old], [], newer)).toMatchObject(
      refusal(`deploy/site rollback ${old}`),
    )
    writeFileSync(join(host, 'Caddyfile'), 'changed')
    expect(await site(['update', '--yes'])).toMatchObject(refusal(' M Caddyfile'))
  })

  test('refuses a new major version of PostgreSQL, which would start with an empty database', async () => {
    const { site, host, git, commit, get, old, newer } = play('postgres')
    git('checkout', '--quiet', '--detach', newer)
    const compose = get('host/compose.postgres.yaml')
    writeFileSync(
      join(host, 'compose.postgres.yaml'),
      compose.replace(/postgres:\d+/, 'postgres:99'),
    )
    const next = commit('README.md', 'three')
    git('push', '--quiet', 'origin', `${next}:main`)
    git('checkout', '--quiet', '--detach', old)
    const { status, text, calls } = await site(['update', '--yes'])
    expect([status, calls]).toEqual([1, []])
    expect(text).toContain('brings PostgreSQL 99')
  })
})

describe.each(['sqlite', 'postgres'] as const)('over %s', (kind) => {
  const swap = kind === 'sqlite' ? 'restored.sqlite inbox.sqlite' : 'RENAME TO inbox'
  const export_ = ' export --format jsonl'

  test('a rollback over changed tables stops the site, exports, swaps and imports', async () => {
    const { site, changed, old, setting } = play(kind)
    const has: Answer = ["*WHERE datname = 'restored'*", 0, '1\n']
    const exported: Answer = [`*${export_}`, 0, '{}\n']
    const { status, calls } = await site(['rollback', old, '--yes'], [has, exported], changed)
    expect([status, setting('REVISION')]).toEqual([0, old])
    expectOrder(
      calls,
      'backup.sh manual',
      'compose stop site',
      export_,
      ...(kind === 'sqlite' ? [swap] : ['createdb', swap]),
      ' import ',
      ' up ',
    )
  })

  test('an export that fails leaves the store in place, and names the backup', async () => {
    const { site, changed, old, backup, git, head, setting } = play(kind)
    git('checkout', '--quiet', '--detach', changed)
    const { status, text, calls } = await site(
      ['rollback', old, '--yes'],
      [[`*${export_}`, 1]],
      changed,
    )
    expect([status, text]).toEqual([1, expect.stringContaining(`deploy/site restore ${backup}`)])
    expect(calls.filter((call) => /inbox\.sqlite|RENAME|import/.test(call))).toEqual([])
    expect(calls.at(-1)).toContain(' up ')
    expect([setting('REVISION'), head()]).toEqual([old, changed])
    expect((await site(['restore', backup, '--yes'])).text).toContain('The old store stays')
  })

  test('a restore keeps the old store, erases again, and imports what came since', async () => {
    const { site, backup, backups } = play(kind)
    writeFileSync(join(backups, 'erased'), 'RG-AAAAA-AAAAA\n')
    const answers: Answer[] = [
      ['*SELECT reference FROM messages*', 0, 'RG-BBBBB-BBBBB\nRG-AAAAA-AAAAA\n'],
      ["*WHERE datname = 'restored'*", 0, '1\n'],
      [`*${export_}`, 0, '{}\n'],
    ]
    const { status, text, calls } = await site(['restore', backup, '--yes'], answers)
    expect([status, text]).toEqual([0, expect.stringContaining('The old store stays as before_')])
    const erasing = calls.findIndex((call) => call.includes('cli.ts erase '))
    expect(calls[erasing + 1]).toBe('  stdin: RG-AAAAA-AAAAA')
    expect(calls[erasing + 2]).toContain(' import ')
    expectOrder(calls, 'stop site', export_, swap, 'cli.ts erase ', ' import ', '180 site')
  })
})

test('two acts at once: the second is refused', async () => {
  const { site, host } = play()
  mkdirSync(join(host, 'private'), { recursive: true })
  const other = spawn('flock', [join(host, 'private/lock'), 'sh', '-c', 'echo locked; read wait'])
  await once(other.stdout, 'data')
  const result = await site(['update', '--yes'])
  other.stdin.end()
  await once(other, 'exit')
  const text = expect.stringContaining('Another deploy/site is at work')
  expect(result).toMatchObject({ status: 1, calls: [], text })
})

test('an erasure is noted beside the backups', async () => {
  const { site, get } = play()
  await site(['inbox', 'erase', 'RG-AAAAA-AAAAA'], [["*action = 'erase'*", 0, 'RG-AAAAA-AAAAA\n']])
  expect(get('volume/erased')).toBe('RG-AAAAA-AAAAA\n')
  await site(['inbox', 'erase', 'RG-BBBBB-BBBBB'], [["*action = 'erase'*", 0, 'RG-BBBBB-BBBBB\n']])
  expect(get('volume/erased')).toBe('RG-AAAAA-AAAAA\nRG-BBBBB-BBBBB\n')
  expect(await site(['inbox', 'backup', 'x'])).toMatchObject({
    status: 1,
    text: 'Use deploy/site backup.\n',
  })
})

test('a new password reaches no command line and no output', async () => {
  const { site, setting } = play('postgres')
  const { status, text, calls } = await site(['new-password', '--yes'])
  const password = setting('DATABASE_PASSWORD') ?? ''
  expect([status, password]).toEqual([0, expect.stringMatching(/^[0-9a-f]{48}$/)])
  expect(text + calls.join('\n')).not.toContain(password)
  expectOrder(calls, 'exec -T database psql', '180 site-1', '180 site-2')
})

test('a new PostgreSQL gets the dump of the old one, whose files stay', async () => {
  const { site, setting } = play('postgres')
  const { status, calls } = await site(
    ['new-postgres', '19.1', '--yes'],
    [["*WHERE datname = 'restored'*", 0, '1\n']],
  )
  expect([status, setting('POSTGRES_IMAGE')]).toEqual([0, 'postgres:19.1'])
  expectOrder(
    calls,
    'pull --policy missing database',
    'stop site-1 site-2',
    'backup.sh manual',
    'stop database',
    'pg_restore',
    'RENAME TO inbox',
    '180 site-1',
  )
  expect(calls.filter((call) => /volume|down| rm /.test(call))).toEqual([])
})

test('no act comes between the halves of a restore, and what came by hand meanwhile is exported again', async () => {
  const { site, host, backup } = play('postgres')
  const restore = ['restore', backup, '--yes']
  const exported: Answer = ['* export --format jsonl*', 0, '{}\n']
  await site(restore, [
    ['*-c ALTER DATABASE*', 'kill'],
    ["*WHERE datname = 'inbox'*", 0, '1\n'],
    exported,
  ])
  for (const act of [['settings'], ['try-restore'], ['archive', 'start', host]]) {
    const { status, text, calls } = await site([...act, '--yes'])
    expect([act, status, calls]).toEqual([act, 1, []])
    expect(text).toContain(`restore ${backup}\` did not end. Call it again first.`)
  }
  const shown = await site(['status'])
  expect([shown.status, shown.text]).toEqual([0, expect.stringContaining('An act did not end')])
  expect(shown.text).not.toContain('not set')
  const ran = await site(restore, [exported])
  expect(ran.status).toBe(0)
  expectOrder(ran.calls, 'stop site-1', 'export --format jsonl', 'import /dev/stdin')
})

test('install from a copy leaves the archive of the other machine alone', async () => {
  const { site, setting, host, get } = play('postgres')
  const archive = [
    'COMPOSE_FILE=compose.postgres.yaml:deploy/compose.archive.yaml',
    'ARCHIVE=/other',
  ]
  const settings = `${get('host/.env').replace(/^COMPOSE_FILE=.*\n/m, '')}${archive.join('\n')}\n`
  mkdirSync(join(host, 'private/copy'), { recursive: true })
  writeFileSync(join(host, 'private/copy/.env'), settings)
  rmSync(join(host, '.env'))
  const { text } = await site(['install', '--yes'], [], undefined, { RESTIC_REPOSITORY: '/copy' })
  expect(setting('COMPOSE_FILE')).toBe('compose.postgres.yaml')
  expect(text).toContain('archive restore /other')
})

test('install refuses a store that it does not know, and writes none', async () => {
  const { site, host, setting } = play()
  rmSync(join(host, '.env'))
  const answers = {
    STORE: 'PostgreSQL',
    SITE_HOST: 'localhost',
    SMTP_URL: 'smtp://a',
    MAIL_FROM: 'a',
    MAIL_TO: 'a',
  }
  const { status, text } = await site(['install', '--yes'], [], undefined, answers)
  expect([status, text]).toEqual([1, expect.stringContaining('STORE is sqlite or postgres')])
  expect(setting('COMPOSE_FILE')).toBeUndefined()
})

test('status names the newer PostgreSQL of the build, while .env holds an older one', async () => {
  const { site, host } = play('postgres')
  const [named = ''] = /postgres:\d+\.\d+/.exec(read('compose.postgres.yaml')) ?? []
  const setImage = (image: string) =>
    writeFileSync(join(host, '.env'), `POSTGRES_IMAGE=${image}\n`, { flag: 'a' })
  const line = `The build names ${named}: write POSTGRES_IMAGE=${named} into .env`
  setImage(`${named}9`)
  expect((await site(['status'])).stdout).toContain(line)
  setImage(named)
  expect((await site(['status'])).stdout).not.toContain(line)
})

describe('nightly', () => {
  const well: Answer[] = [
    [
      '*compose ps -a --format*',
      0,
      'backup running healthy\ncaddy running healthy\nsite running healthy\n',
    ],
    ['*METRICS_PORT*', 0, 'inbox_up 1\ninbox_messages{status="dead"} 0\n'],
    ['restic dump*', 0],
  ]
  async function night(answers: Answer[], change = (_: ReturnType<typeof play>) => {}) {
    const stage = play()
    const copy = 'RESTIC_REPOSITORY=/copy\nRESTIC_PASSWORD=secret\n'
    writeFileSync(join(stage.host, '.env'), copy, { flag: 'a' })
    change(stage)
    const result = await stage.site(['nightly'], [...answers, ...well])
    return { ...stage, ...result, mail: stage.get('host/private/mail') }
  }
  const metrics = (line: string): Answer => ['*METRICS_PORT*', 0, `inbox_up 1\n${line}\n`]
  const makeBackup = ({ backups }: { backups: string }) =>
    writeFileSync(join(backups, 'nightly-2026-11-24.sqlite'), '')

  test('copies the backups away, proves the copy, and says nothing when all is well', async () => {
    const { status, mail, calls } = await night([], makeBackup)
    expect(mail).toBe('')
    expect(status).toBe(0)
    expectOrder(calls, 'restic backup', 'restic forget', 'restic dump')
  })

  test.each<[string, Answer]>([
    ['No copy of the backups yet', ['restic dump*', 0, 'other']],
    ['could not be mailed: 2', metrics('inbox_messages{status="dead"} 2')],
    ['waited for 5 hours', metrics('inbox_oldest_message_age_seconds{status="queued"} 20000.5')],
    [
      'refuses the login',
      metrics('mail_sends_total{result="misconfigured"} 3\ninbox_messages{status="queued"} 1'),
    ],
    ['site running unhealthy', ['*compose ps -a --format*', 0, 'site running unhealthy\n']],
    ['Docker does not answer', ['docker version*', 1]],
    ['full to 91%', ['df*', 0, 'Use%\n 91%\n']],
  ])('mails “%s”', async (words, answer) => {
    const { status, mail, get, text, calls } = await night([answer], (stage) => {
      makeBackup(stage)
      cpSync(join(stage.host, '../bin/docker'), join(stage.host, '../bin/df'))
    })
    expect([status, mail]).toEqual([1, expect.stringContaining(words)])
    expect(mail).toContain('To: office@example.ca\n')
    expect(get('secrets')).toContain('url = "smtps://site:secret@mail.example.ca"')
    expect(text + calls.join('\n')).not.toContain('secret')
  })

  test('mails a missing backup by the host’s own program when curl cannot', async () => {
    const { mail, get } = await night([['curl*', 7]], ({ backups, backup }) =>
      utimesSync(join(backups, backup), 0, 0),
    )
    expect(mail).toContain('No nightly backup yet, or none for 26 hours')
    expect(get('calls')).toContain('sendmail -t')
  })
})

test('install draws the secrets, keeps .env to root, and starts after the build and a look at the settings', async () => {
  const { site, host, setting } = play('postgres')
  const file = join(host, '.env')
  rmSync(file)
  const missing = await site(['install', '--yes'])
  expect([missing.status, missing.text]).toEqual([
    1,
    expect.stringContaining('SITE_HOST is missing'),
  ])
  const answers =
    'SITE_HOST=localhost\nSMTP_URL=smtps://mail.example.ca\nMAIL_FROM=a@b.ca\nMAIL_TO=a@b.ca\nCOMPOSE_FILE=compose.postgres.yaml\n'
  writeFileSync(file, answers, { flag: 'a' })
  const { status, calls } = await site(['install', '--yes'], [['*compose ps -q caddy*', 0, 'id\n']])
  expect(status).toBe(0)
  expectOrder(calls, 'compose build', 'loadConfig', '180 database', '180 site-1')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(setting('DATABASE_PASSWORD')).toMatch(/^[0-9a-f]{48}$/)
})
