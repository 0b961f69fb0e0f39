import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { loadConfig, VARIABLES } from '../../server/config/config.ts'
import { startPostgres } from '../../tools/harness/postgres.ts'
import { run } from '../../tools/harness/process.ts'
import { read } from '../../tools/harness/project.ts'
import { createSqlitePlace, setUpPlace } from '../server/inbox/places.ts'

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
const { services: large } = readCompose('compose.postgres.yaml')

test('the image starts the site as npm start does', () => {
  const command = JSON.parse(/^CMD (.*)/m.exec(read('Dockerfile'))?.[1] ?? '')
  expect(packageFile.scripts.start).toBe(`exec ${command.join(' ')}`)
})

describe.each([
  ['compose.yaml', small, ['site'], 'sqlite'],
  ['compose.postgres.yaml', large, ['site-1', 'site-2'], 'postgres'],
] as const)('%s', (_file, services, sites, kind) => {
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
  })

  test('only the proxy is published, and the site is confined', () => {
    const isOpen = (name: string) => services[name].ports && !services[name].profiles
    expect(Object.keys(services).filter(isOpen)).toEqual(['caddy'])
    const confined = { read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' }
    for (const name of ['caddy', ...sites]) expect(services[name]).toMatchObject(confined)
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

  test.each(['nightly', 'manual'] as const)('%s keeps the last three, and others', async (kind) => {
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
  })

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
