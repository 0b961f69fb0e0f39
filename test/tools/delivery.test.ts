import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { loadConfig, VARIABLES } from '../../server/config/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const readPackage = () => JSON.parse(read('package.json'))

interface Service {
  image?: string
  build?: string | { context: string }
  environment?: Record<string, string | number>
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period?: string
  ports?: string[]
  networks?: string[]
  volumes?: string[]
  tmpfs?: string[]
}

/** An operator's .env file. */
const SETTINGS: Record<string, string> = {
  REVISION: '1a2b3c4',
  SITE_HOST: 'www.example.ca',
  DATABASE_PASSWORD: '6c1f0d',
  SMTP_URL: 'smtps://site:secret@mail.example.ca',
  MAIL_FROM: 'site@example.ca',
  MAIL_TO: 'office@example.ca',
}

/** Reads a compose file and fills in SETTINGS; throws when a required setting is missing. */
function readCompose(file: string): Record<string, Service> {
  const filled = read(file).replace(
    /\$\{(\w+):([?-])(\w*)\}/g,
    (_, name: string, sign: string, fallback: string) => {
      // Without "", the YAML parser would read an empty setting as null.
      const value = SETTINGS[name] ?? (sign === '-' ? fallback || '""' : undefined)
      if (value === undefined) throw new Error(`${file} needs ${name}`)
      return value
    },
  )
  return parse(filled, { merge: true }).services
}

const get = (services: Record<string, Service>, name: string) => services[name] ?? {}

const getEnvironment = ({ environment = {} }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))

const trial = readCompose('compose.yaml')
const production = readCompose('compose.production.yaml')

const replicas = Object.keys(production).filter((name) => name.startsWith('site'))
const sites = replicas.map((name) => ['compose.production.yaml', name, production] as const)

test('the image and the unit start the site as npm start does', () => {
  const { start } = readPackage().scripts
  expect(read('Dockerfile')).toContain(
    `CMD ${JSON.stringify(start.split(' ')).replaceAll(',', ', ')}`,
  )
  expect(read('deploy/rg-website.service')).toContain(start)
})

test('the unit may write its compile cache', () => {
  const unit = read('deploy/rg-website.service')
  const [, folder] = /^CacheDirectory=(.+)$/m.exec(unit) ?? []
  expect(unit).toContain(`Environment=NODE_COMPILE_CACHE=/var/cache/${folder}\n`)
})

describe.each([['compose.yaml', 'site', trial] as const, ...sites])(
  '%s: %s',
  (_file, name, services) => {
    const site = get(services, name)

    test('the site knows and accepts every variable', () => {
      const environment = getEnvironment(site)
      expect(Object.keys(environment).filter((name) => !VARIABLES.includes(name))).toEqual([])
      const { mail, publicOrigins } = loadConfig(environment)
      expect(mail).toBeDefined()
      expect(publicOrigins).toHaveLength(1)
    })

    test('the site is built from the sources, without privileges', () => {
      const context = typeof site.build === 'object' ? site.build.context : site.build
      expect(context).toBe('.')
      expect(site).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        stop_grace_period: '30s',
      })
      const dataFolder = [...(site.volumes ?? []), ...(site.tmpfs ?? [])]
      expect(dataFolder.filter((place) => place.endsWith('/data'))).toHaveLength(1)
    })

    test('other images have exact versions', () => {
      const others = Object.values(services).filter(({ build }) => !build)
      expect(others.length).toBeGreaterThan(0)
      for (const { image } of others) {
        expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/)
      }
    })
  },
)

test('only the proxy reaches the two replicas, and only they reach the database', () => {
  const published = Object.entries(production).filter(([, { ports }]) => ports)
  expect(published.map(([name]) => name)).toEqual(['proxy'])
  expect(replicas).toHaveLength(2)
  for (const name of replicas) {
    const config = loadConfig(getEnvironment(get(production, name)))
    expect(config).toMatchObject({
      publicOrigins: ['https://www.example.ca'],
      https: true,
      trustProxy: 1,
      database: { kind: 'postgres' },
    })
  }
  expect(get(production, 'database').networks).toEqual(['back'])
  expect(get(production, 'proxy').networks).toEqual(['front'])
})

test('a deployment keeps the image of each revision, to go back to', () => {
  for (const name of replicas) {
    expect(get(production, name)).toMatchObject({
      image: 'rg-website:1a2b3c4',
      build: { args: { REVISION: '1a2b3c4' } },
    })
  }
  expect(read('Dockerfile')).toMatch(/^ENV REVISION=\$\{REVISION\}$/m)
})

test('the backups are of the site’s database, by programs of its version', () => {
  const { database, backup } = production
  expect(backup?.image).toBe(database?.image)
  const { host, pathname, username, password } = new URL(
    getEnvironment(get(production, 'site-1')).DATABASE_URL ?? '',
  )
  expect(getEnvironment(get(production, 'backup'))).toEqual({
    PGHOST: host,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  })
})

test('.env reaches every variable of a replica', () => {
  const inImage = ['HOST', 'PORT', 'REVISION']
  for (const replica of replicas) {
    const names = Object.keys(getEnvironment(get(production, replica)))
    expect([...names, ...inImage].toSorted()).toEqual(VARIABLES.toSorted())
  }
})

test('the proxy forwards to both replicas, on the port of the image', () => {
  const port = /\bPORT=(\d+)/.exec(read('Dockerfile'))?.[1]
  const addresses = replicas.map((name) => `${name}:${port}`)
  const caddyfile = read('Caddyfile')
  expect(caddyfile).toContain(`\treverse_proxy ${addresses.join(' ')} {`)
  expect(caddyfile).toContain(`\treverse_proxy @assets ${addresses.join(' ')} {`)
  expect(caddyfile).toContain(`\treverse_proxy ${addresses.toReversed().join(' ')} {`)
})

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile')

  test('uses the Node version of the project, by digest', () => {
    const node = readPackage().devDependencies.node
    const [, image, digest] = /^ARG NODE_IMAGE=(.*)@sha256:([0-9a-f]{64})$/m.exec(dockerfile) ?? []
    expect([image, digest]).toEqual([`docker.io/library/node:${node}-slim`, expect.any(String)])
    const bases = dockerfile.match(/^FROM .*/gm) ?? []
    expect(bases).toEqual([
      ...['build', 'packages', 'site'].map((stage) => `FROM \${NODE_IMAGE} AS ${stage}`),
      'FROM site AS compiled',
      'FROM site',
    ])
  })

  test('copies exactly the files of the build context', () => {
    const allowed = [...(read('.dockerignore').match(/(?<=^!).*/gm) ?? [])]
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*)$/gm)].flatMap(([, words = '']) =>
      words.split(' ').slice(0, -1),
    )
    expect([...new Set(copied)].toSorted()).toEqual(allowed.toSorted())
  })
})
