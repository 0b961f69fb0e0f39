import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { loadConfig, VARIABLES } from '../../server/config.ts'
import { run } from '../../tools/harness/process.ts'
import { CLI, read } from '../../tools/harness/project.ts'
import { createFolder } from '../support/folders.ts'

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
function readCompose(file: string) {
  const fillIn = (_: string, name: string, sign: string, fallback: string) => {
    // Without "", the YAML parser would read an empty setting as null.
    const value = SETTINGS[name] ?? (sign === '-' ? fallback || '""' : undefined)
    if (value === undefined) throw new Error(`${file} needs ${name}`)
    return value
  }
  const filled = read(file).replace(/\$\{(\w+):([?-])(.*?)\}/g, fillIn)
  return parse(filled, { merge: true }).services
}

test('the image starts the site as npm start does', () => {
  const image = read('Dockerfile')
  const command = JSON.parse(/^CMD (.*)/m.exec(image)?.[1] ?? '')
  expect(packageFile.scripts.start).toBe(`NODE_ENV=production exec ${command.join(' ')}`)
  expect(image).toMatch(/^ENV NODE_ENV=production\b/m)
})

describe.each([
  ['compose.yaml', ['site'], 'sqlite'],
  ['compose.postgres.yaml', ['site-1', 'site-2'], 'postgres'],
] as const)('%s', (file, sites, kind) => {
  const services = readCompose(file)

  test.each(sites)('.env reaches every variable of %s', (name) => {
    const environment: Record<string, string> = Object.fromEntries(
      Object.entries(services[name].environment).map(([key, value]) => [key, String(value)]),
    )
    const missing = VARIABLES.filter((variable) => !(variable in environment))
    const inImage = ['HOST', 'PORT', 'REVISION', ...(kind === 'sqlite' ? ['DATABASE_URL'] : [])]
    expect(missing.toSorted()).toEqual(inImage.toSorted())
    expect(loadConfig(environment)).toMatchObject({
      publicOrigins: ['https://www.example.ca'],
      trustProxy: 1,
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

describe('deploy/backup.sh', () => {
  const root = createFolder()
  const OLD = ['2025-12-30', '2026-01-01', '2026-01-02', '2026-01-03']
  const nightly = OLD.map((date) => `nightly-${date}.sqlite`)
  const manual = OLD.map((date) => `manual-${date}-080000.sqlite`)
  const newNightly = expect.stringMatching(/^nightly-\d{4}(-\d\d){2}\.sqlite$/)
  const newManual = expect.stringMatching(/^manual-\d{4}(-\d\d){2}-\d{6}\.sqlite$/)
  /** Names that the rule must not touch. */
  const others = ['2025-01-01.sqlite', 'nightly-2025-01-01.dump', 'nightly-before-01-01.sqlite']

  function open(...names: string[]) {
    const place = mkdtempSync(join(root, 'place-'))
    const folder = join(place, 'with a blank')
    mkdirSync(folder)
    for (const name of names) writeFileSync(join(folder, name), '')
    const database = { DATABASE_URL: `sqlite:${place}/inbox.sqlite` }
    return {
      folder,
      createStore: () => run(process.execPath, [CLI, 'import', '/dev/null'], database),
      backUp: (kind: string, environment = {}) =>
        run('sh', ['deploy/backup.sh', kind, folder], { ...database, ...environment }),
      list: () => readdirSync(folder),
    }
  }
  function expectNames(found: string[], names: string[]) {
    expect(found).toEqual(expect.arrayContaining(names))
    expect(found).toHaveLength(names.length)
  }

  test('makes one nightly backup a day; each kind deletes only its own, by the date in the name', async () => {
    const unfinished = 'nightly-2026-01-03.sqlite.1.unfinished'
    const { backUp, list, createStore } = open(...nightly, ...manual, ...others, unfinished)
    await createStore()
    const done = { status: 0, stdout: expect.stringContaining('backup done'), stderr: '' }
    expect(await backUp('nightly')).toMatchObject(done)
    const kept = [...nightly.slice(2), newNightly, ...others, 'erased']
    expectNames(list(), [...kept, ...manual])
    expect(await backUp('nightly')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(await backUp('manual')).toMatchObject(done)
    expectNames(list(), [...kept, ...manual.slice(2), newManual])
  })

  test('a failed backup is loud and deletes nothing', async () => {
    const { backUp, list } = open(...nightly)
    const failed = { status: 1, stderr: expect.stringContaining('backup failed: ') }
    expect(await backUp('nightly')).toMatchObject(failed)
    expect(list()).toEqual(expect.arrayContaining(nightly))
  })

  test('dumps PostgreSQL where PGDATABASE is set, and keeps no dump that cannot be read', async () => {
    const { backUp, folder, list } = open()
    const programs = join(folder, '../bin')
    mkdirSync(programs)
    const dump = (check: number) => {
      const program = (name: string, text: string) =>
        writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
      program('psql', 'echo RG-AAAAA-AAAAA')
      program('pg_dump', 'for last; do :; done; touch "$(echo "$last" | cut -d= -f2)"')
      program('pg_restore', `exit ${check}`)
      return backUp('nightly', { PGDATABASE: 'inbox', PATH: `${programs}:${process.env.PATH}` })
    }
    expect(await dump(1)).toMatchObject({ status: 1 })
    expect(list()).toEqual(['erased'])
    expect(await dump(0)).toMatchObject({ status: 0 })
    expect(list()).toEqual(['erased', expect.stringMatching(/^nightly-.*\.dump$/)])
  })
})
