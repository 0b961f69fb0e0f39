import { globSync, readdirSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
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

test('the image and the unit start the site as npm start does', () => {
  const words = JSON.stringify(scripts.start.split(' ')).replaceAll(',', ', ')
  expect(read('Dockerfile')).toContain(`CMD ${words}`)
  expect(read('deploy/rg-website.service')).toContain(scripts.start)
})

test('the unit may write its compile cache', () => {
  const unit = read('deploy/rg-website.service')
  const [, folder] = /^CacheDirectory=(.+)$/m.exec(unit) ?? []
  expect(unit).toContain(`Environment=NODE_COMPILE_CACHE=/var/cache/${folder}\n`)
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
      logging: { driver: 'local' },
    })
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

test('the small set-up backs up the site’s volume, with deploy/backup.sh', () => {
  expect(small.backup).toMatchObject({
    image: small.site.image,
    command: ['sh', '-c', expect.stringContaining(' sh deploy/backup.sh /backups;')],
    volumes: [...small.site.volumes, 'backups:/backups'],
  })
})

test('a backup made by hand does not hide that the nightly one is missing', () => {
  const warnings = [
    JSON.stringify(small.backup.healthcheck.test),
    JSON.stringify(large.backup.healthcheck.test),
    read('deploy/rg-website.service'),
    read('docs/operating.md'),
  ]
  for (const warning of warnings) {
    const [pattern] = /(?<=-name ')[^']+(?=' -mmin -1560)/.exec(warning) ?? []
    expect(pattern).toMatch(/^inbox-\?{4}-\?\?-\?\?\.(?:sqlite|dump)$/)
  }
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

test('Git ignores the files with messages that the manual writes into the checkout', () => {
  const ignored = read('.gitignore').trimEnd().split('\n')
  const targets = read('docs/operating.md').match(/(?<= > )\w[\w.-]*(?=[/)])/g) ?? []
  expect(targets).toContain('messages.csv')
  const isIgnored = (name: string) =>
    ignored.some((line) => matchesGlob(name, line.replace('/', '')))
  expect(targets.filter((name) => !isIgnored(name))).toEqual([])
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
  const list = () => readdirSync(place.folder).filter((name) => name !== 'data')
  const backUp = (copies: string) =>
    run('sh', ['deploy/backup.sh', place.folder], {
      DATABASE_URL: `sqlite:${place.path}`,
      BACKUP_COPIES: copies,
    })
  const OLD = ['inbox-2026-01-01.sqlite', 'inbox-2026-01-02.sqlite', 'inbox-2026-01-03.sqlite']
  beforeEach(() => {
    for (const name of OLD) writeFileSync(join(place.folder, name), '')
  })

  test('makes one checked backup a day and keeps the newest copies', async () => {
    await place.open().probe()
    writeFileSync(join(place.folder, 'inbox-2026-01-03.sqlite.1.unfinished'), '')
    expect(await backUp('2')).toMatchObject({ status: 0, stderr: '' })
    expect(list()).toEqual([OLD[2], expect.stringMatching(/^inbox-\d{4}-\d\d-\d\d\.sqlite$/)])
    expect(await backUp('2')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('deletes nothing if the backup fails, or would delete every copy', async () => {
    expect(await backUp('2')).toMatchObject({ status: 1 })
    await place.open().probe()
    expect(await backUp('0')).toMatchObject({ status: 1 })
    expect(list()).toEqual(OLD)
  })
})

test('nginx forwards Host and the connection’s address, reuses connections, and logs no address', () => {
  const lines = [
    ...['keepalive_timeout 60s;', 'proxy_http_version 1.1;', 'proxy_set_header Connection "";'],
    ...['proxy_set_header Host $host;', 'proxy_set_header X-Forwarded-For $remote_addr;'],
    ...['server 127.0.0.1:3000;', 'client_max_body_size 1m;', 'access_log off;'],
  ]
  expect(read('deploy/nginx.conf').split(/\n\t*/)).toEqual(expect.arrayContaining(lines))
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
