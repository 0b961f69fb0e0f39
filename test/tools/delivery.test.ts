import { globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import pg from 'pg'
import { parse } from 'yaml'
import { loadConfig, VARIABLES } from '../../server/config/config.ts'
import { startPostgres } from '../../tools/harness/postgres.ts'
import { run } from '../../tools/harness/process.ts'
import { ROOT, read } from '../../tools/harness/project.ts'
import { createSqlitePlace, setUpPlace } from '../server/inbox/places.ts'

const { scripts, devDependencies } = JSON.parse(read('package.json'))

const EXACT_VERSION = /:v?\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/

/** An operator's .env file. */
const SETTINGS: Record<string, string | undefined> = {
  REVISION: '1a2b3c4',
  SITE_HOST: 'www.example.ca',
  DATABASE_PASSWORD: '6c1f0d',
  SMTP_URL: 'smtps://site:secret@mail.example.ca',
  MAIL_FROM: 'site@example.ca',
  MAIL_TO: 'office@example.ca',
}

/** Reads a compose file and fills in the settings; throws when a required setting is missing. */
function readCompose(file: string, settings = SETTINGS) {
  const fillIn = (_: string, name: string, sign: string, fallback: string) => {
    // Without "", the YAML parser would read an empty setting as null.
    const value = settings[name] ?? (sign === '-' ? fallback || '""' : undefined)
    if (value === undefined) throw new Error(`${file} needs ${name}`)
    return value
  }
  const filled = read(file).replace(/\$\{(\w+):([?-])(.*?)\}/g, fillIn)
  return parse(filled, { merge: true })
}

const getEnvironment = ({ environment = {} }: { environment?: object }): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))

const { services: small } = readCompose('compose.yaml')
const { services: overlay } = readCompose('deploy/compose.archive.yaml')
const large = { ...readCompose('compose.postgres.yaml').services, archive: overlay.archive }
const replicas = ['site-1', 'site-2']
const FILES = [
  ['compose.yaml', small, ['site'], 'sqlite'],
  ['compose.postgres.yaml', large, replicas, 'postgres'],
] as const

test('the image starts the site as npm start does', () => {
  const words = JSON.stringify(scripts.start.split(' ')).replaceAll(',', ', ')
  expect(read('Dockerfile')).toContain(`CMD ${words}`)
})

describe.each(FILES)('%s', (_file, services, sites, kind) => {
  test.each(sites)('.env reaches every variable of %s', (name) => {
    const environment = getEnvironment(services[name])
    const missing = VARIABLES.filter((variable) => !(variable in environment))
    const inImage = ['HOST', 'PORT', 'REVISION', ...(kind === 'sqlite' ? ['DATABASE_URL'] : [])]
    expect(missing.toSorted()).toEqual(inImage.toSorted())
    expect(loadConfig(environment)).toMatchObject({
      publicOrigins: ['https://www.example.ca'],
      trustProxy: 1,
      database: { kind },
      mail: { to: SETTINGS.MAIL_TO },
    })
    const { volumes = [], tmpfs = [], stop_grace_period } = services[name]
    expect(stop_grace_period).toBe('30s')
    expect([...volumes, ...tmpfs].filter((place) => place.endsWith('/data'))).toHaveLength(1)
  })

  const others = Object.keys(services).filter((name) => !['database', 'mail'].includes(name))
  test.each(others)('%s is confined, and restarts', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
      deploy: { resources: { limits: { memory: '512M' } } },
    })
  })

  test('all logs but that of the mail catcher rotate, as the privacy policy says', () => {
    const { mail: _, ...lasting } = services
    const drivers = Object.values(lasting).map((service) => Object(service).logging?.driver)
    expect(new Set(drivers)).toEqual(new Set(['local']))
  })

  test('one image is built for each revision, once; the others have an exact version', () => {
    const isOurs = (name: string) => services[name].image === 'rg-website:1a2b3c4'
    const [first = '', ...others] = Object.keys(services).filter(isOurs)
    expect(services[first].build).toEqual({ context: '.', args: { REVISION: '1a2b3c4' } })
    expect(others).not.toEqual([])
    for (const name of others) {
      expect(services[name].build).toBeUndefined()
      expect(services[name].pull_policy).toBe('never')
    }
    for (const name of Object.keys(services)) {
      if (!isOurs(name)) expect(services[name].image).toMatch(EXACT_VERSION)
    }
    expect(read('Dockerfile')).toMatch(/^ENV REVISION=\$\{REVISION\}$/m)
  })

  test('only the proxy is published, and it forwards to every site on the port of the image', () => {
    const { caddy, ...others } = services
    const published = Object.keys(others).filter((name) => {
      return others[name].ports && !others[name].profiles
    })
    expect(published).toEqual([])
    const port = /\bPORT=(\d+)/.exec(read('Dockerfile'))?.[1]
    const { FIRST_SITE, SECOND_SITE, ...names } = getEnvironment(caddy)
    const addresses = [FIRST_SITE, SECOND_SITE].filter(Boolean)
    expect(addresses).toEqual(sites.map((name) => `${name}:${port}`))
    const used = read('Caddyfile').match(/(?<=\{\$)\w+/g)
    expect(new Set(used)).toEqual(new Set(['FIRST_SITE', 'SECOND_SITE', ...Object.keys(names)]))
  })
})

test.each(globSync('{,deploy/}compose*.yaml', { cwd: ROOT }))(
  '%s: no read-only service has a config with inline content, which Compose refuses to copy into it',
  (file) => {
    const { services, configs = {} } = parse(read(file), { merge: true })
    const isInline = (name: string) => !configs[name].file
    const refused = Object.keys(services).filter((name) => {
      const { read_only, configs: used = [] } = services[name]
      return read_only && used.some((config: { source: string }) => isInline(config.source))
    })
    expect(refused).toEqual([])
  },
)

test('a trial sends its mail to its own mail catcher', () => {
  const settings = parseEnv(read('deploy/try.env'))
  const { services } = readCompose('compose.yaml', settings)
  const { mail } = loadConfig(getEnvironment(services.site))
  expect(services[mail?.server.host ?? '']?.profiles).toEqual([settings.COMPOSE_PROFILES])
})

test('Prometheus reads the site’s metrics and the alarms, and Alertmanager mails them', () => {
  const names = ['ALARM_TO', 'ALARM_SMARTHOST', 'ALARM_USER', 'ALARM_PASSWORD']
  const alarms = Object.fromEntries(names.map((name) => [name, name]))
  const file = readCompose('deploy/compose.monitoring.yaml', { ...SETTINGS, ...alarms })
  const { scrape_configs, rule_files } = parse(file.configs.prometheus.content)
  const { METRICS_PORT } = getEnvironment(small.site)
  const targets = [{ targets: [`site:${METRICS_PORT}`] }]
  expect(scrape_configs).toEqual([{ job_name: 'website', static_configs: targets }])
  const { prometheus, alertmanager } = file.services
  expect(prometheus.volumes).toContain(`./deploy/alarms.yaml:/etc/prometheus/${rule_files}:ro`)
  for (const { image } of [prometheus, alertmanager]) expect(image).toMatch(EXACT_VERSION)
  const { receivers } = parse(file.configs.alertmanager.content)
  expect(receivers[0].email_configs).toEqual([{ to: 'ALARM_TO', send_resolved: true }])
})

test('the small set-up backs up the site’s volume', () => {
  expect(small.backup).toMatchObject({
    image: small.site.image,
    volumes: [...small.site.volumes, 'backups:/backups'],
  })
})

test.each(FILES)(
  '%s makes a backup each night, which the health check looks for',
  (_, { backup }) => {
    expect(backup.command).toEqual([
      'sh',
      '-c',
      expect.stringContaining('deploy/backup.sh nightly /backups'),
    ])
    const [pattern = ''] =
      /(?<=-maxdepth 1 -name ')[^']+(?=' -mmin -1560)/.exec(backup.healthcheck.test[1]) ?? []
    expect(pattern).toMatch(/^nightly-/)
  },
)

test.each(['compose.yaml', 'compose.postgres.yaml'])(
  'the project of %s has a name in any folder',
  (file) => {
    expect(parse(read(file), { merge: true }).name).toBe('rg-website')
  },
)

test('the name that only redirects tells browsers to use TLS', () => {
  const [, redirect] = read('Caddyfile').split('{$OTHER_HOST} {')
  expect(redirect).toMatch(/^\theader Strict-Transport-Security max-age=\d{8}$/m)
})

test('the large set-up backs up the site’s database, which nothing else reaches, by programs of its version', () => {
  const inBack = Object.keys(large).filter((name) => large[name].networks?.includes('back'))
  expect(inBack).toEqual([...replicas, 'database', 'backup'])
  expect(large.backup.image).toBe(large.database.image)
  expect(large.archive).toMatchObject({ image: large.database.image, network_mode: 'none' })
  const restore = './deploy/restore-archive.sh:/restore-archive.sh:ro'
  expect(overlay.database.volumes).toEqual([...large.archive.volumes, restore])
  const url = new URL(large['site-1'].environment.DATABASE_URL)
  expect(large.backup.environment).toMatchObject({
    PGHOST: url.host,
    PGUSER: url.username,
    PGPASSWORD: url.password,
    PGDATABASE: url.pathname.slice(1),
  })
})

test('two restores from the archive have what came after the base backup', async () => {
  const settings = overlay.database.command.filter((word: string) => word.includes('='))
  const fillIn = (word: string) => word.replaceAll('/archive', '../archive').replaceAll('$$', '$')
  const server = await startPostgres(settings.map(fillIn))
  const pool = new pg.Pool({ connectionString: await server.createDatabase(), max: 1 })
  pool.on('error', () => undefined)
  const { data_directory: data } = (await pool.query('SHOW data_directory')).rows[0]
  const archive = join(data, '../archive')
  await run('sh', ['-c', `mkdir -p ${archive}/wal && chown -R --reference=${data} ${archive}`])
  await pool.query("CREATE TABLE kept (number int); SELECT pg_backup_start('', true)")
  const copy = `cd ../archive && cp -a ${data} base-1 && rm base-1/pg_wal/0*`
  await pool.query(`COPY (SELECT) TO PROGRAM '${copy}'`)
  const label = "SELECT string_to_table(labelfile, E'\\n') FROM pg_backup_stop()"
  await pool.query(`COPY (${label}) TO '${archive}/base-1/backup_label'`)
  await run('chown', ['-R', 'root', `${archive}/base-1`])
  for (const lost of [`${data}/global`, data]) {
    await pool.query('INSERT INTO kept VALUES (1)')
    // pg_backup_stop waits for the archive; if only `global` is lost, pg_wal has the row.
    if (lost === data) await pool.query("SELECT pg_backup_start('', true), pg_backup_stop()")
    await server.kill()
    const commands = `rm -r ${lost} && sh deploy/restore-archive.sh ${data} ${archive}`
    expect(await run('sh', ['-c', commands], { PGHOST: data })).toMatchObject({ status: 0 })
    await server.start()
  }
  expect((await pool.query('SELECT count(*) FROM kept')).rows).toEqual([{ count: '2' }])
  await server.stop()
})

describe('deploy/backup.sh', () => {
  const place = setUpPlace(createSqlitePlace)
  const backUp = (kind: string, environment = {}, folder = place.folder) =>
    run('sh', ['deploy/backup.sh', kind, folder], {
      DATABASE_URL: `sqlite:${place.path}`,
      ...environment,
    })
  const OLD = ['2025-12-30', '2026-01-01', '2026-01-02', '2026-01-03']
  const nightly = OLD.map((date) => `nightly-${date}.sqlite`)
  const manual = OLD.map((date) => `manual-${date}-080000.sqlite`)
  /** Names that the rule must not touch. */
  const others = [
    '2025-01-01.sqlite',
    'nightly-2025-01-01.dump',
    'inbox-before-change.sqlite',
    'nightly-before-01-01.sqlite',
  ]
  const list = (folder = place.folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  const lay = (folder: string, names: string[]) => {
    mkdirSync(folder, { recursive: true })
    for (const name of names) writeFileSync(join(folder, name), '')
  }
  const today = {
    nightly: expect.stringMatching(/^nightly-\d{4}(-\d\d){2}\.sqlite$/),
    manual: expect.stringMatching(/^manual-\d{4}(-\d\d){2}-\d{6}\.sqlite$/),
  }

  test.each(['nightly', 'manual'] as const)(
    '%s deletes what it made long ago by the name, and never the last three',
    async (kind) => {
      const folder = join(place.folder, 'with a blank')
      lay(folder, [...nightly, ...manual, ...others])
      lay(join(folder, 'nightly-2025-01-01.sqlite.d'), nightly)
      await place.open().probe()
      expect(await backUp(kind, {}, folder)).toMatchObject({ status: 0, stderr: '' })
      const kept = { nightly, manual, [kind]: { nightly, manual }[kind].slice(2) }
      expect(list(folder)).toEqual(
        expect.arrayContaining([...kept.nightly, ...kept.manual, ...others, today[kind]]),
      )
      expect(list(folder)).toHaveLength(6 + 1 + others.length)
      expect(list(join(folder, 'nightly-2025-01-01.sqlite.d'))).toEqual(nightly)
    },
  )

  test('makes one checked nightly backup a day, after one that was killed', async () => {
    await place.open().probe()
    lay(place.folder, ['nightly-2026-01-03.sqlite.1.unfinished'])
    expect(await backUp('nightly')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('backup done'),
    })
    expect(list()).toEqual([today.nightly])
    expect(await backUp('nightly')).toEqual({ status: 0, stdout: '', stderr: '' })
    lay(place.folder, manual)
    expect(await backUp('manual', { BACKUP_DAYS: '99999' })).toMatchObject({ status: 0 })
    expect(list()).toEqual([...manual, today.manual, today.nightly])
  })

  test('a failed backup is loud and deletes nothing', async () => {
    lay(place.folder, nightly)
    const failed = { status: 1, stderr: expect.stringContaining('backup failed: ') }
    expect(await backUp('nightly')).toMatchObject(failed)
    await place.open().probe()
    expect(await backUp('nightly', { BACKUP_DAYS: 'two' })).toMatchObject({ status: 1 })
    expect(list()).toEqual(nightly)
  })

  test('dumps PostgreSQL where PGDATABASE is set, and keeps no dump that cannot be read', async () => {
    const programs = join(place.folder, 'bin')
    const dump = (check: number) => {
      const program = (name: string, text: string) =>
        writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
      mkdirSync(programs, { recursive: true })
      program('pg_dump', 'for last; do :; done; touch "$(echo "$last" | cut -d= -f2)"')
      program('pg_restore', `exit ${check}`)
      return backUp('nightly', { PGDATABASE: 'inbox', PATH: `${programs}:${process.env.PATH}` })
    }
    expect(await dump(1)).toMatchObject({ status: 1 })
    expect(list()).toEqual([])
    expect(await dump(0)).toMatchObject({ status: 0 })
    expect(list()).toEqual([expect.stringMatching(/^nightly-.*\.dump$/)])
  })
})

test('the image is of the Node version of the project, by digest, in every stage', () => {
  const image = RegExp.escape(`docker.io/library/node:${devDependencies.node}-slim`)
  const dockerfile = read('Dockerfile')
  expect(dockerfile).toMatch(new RegExp(`^ARG NODE_IMAGE=${image}@sha256:[0-9a-f]{64}$`, 'm'))
  expect(dockerfile.match(/^FROM (?!\$\{NODE_IMAGE\} AS |site\b).*/gm)).toBeNull()
})

test('the Dockerfile copies exactly the files of the build context', () => {
  const allowed = read('.dockerignore').match(/(?<=^!).*/gm) ?? []
  const copies = read('Dockerfile').match(/(?<=^COPY )(?!--from).*(?= \S+$)/gm) ?? []
  const copied = copies.flatMap((names) => names.split(' '))
  expect([...new Set(copied)].toSorted()).toEqual(allowed.toSorted())
})
