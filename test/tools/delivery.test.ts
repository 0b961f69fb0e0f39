import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { loadConfig, VARIABLES } from '../../server/config/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const readPackage = () => JSON.parse(read('package.json'))

interface Service {
  image?: string
  build?: string
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

/** What an operator writes into .env. */
const SETTINGS: Record<string, string> = {
  SITE_HOST: 'www.example.ca',
  DATABASE_PASSWORD: '6c1f0d',
  SMTP_URL: 'smtps://site:secret@mail.example.ca',
  MAIL_FROM: 'site@example.ca',
  MAIL_TO: 'office@example.ca',
}

/** A compose file with its variables filled in; throws when one is not among the settings. */
function readCompose(file: string): Record<string, Service> {
  const filled = read(file).replace(/\$\{(\w+):([?-])\}/g, (_, name: string, sign: string) => {
    // Compose fills in after it has parsed: an empty value is an empty text, not null.
    const value = SETTINGS[name] ?? (sign === '-' ? '""' : undefined)
    if (value === undefined) throw new Error(`${file} needs ${name}`)
    return value
  })
  return parse(filled, { merge: true }).services
}

const get = (services: Record<string, Service>, name: string): Service => {
  const service = services[name]
  if (!service) throw new Error(`There is no service ${name}`)
  return service
}

const environmentOf = ({ environment = {} }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))

const trial = readCompose('compose.yaml')
const production = readCompose('compose.production.yaml')

const replicas = Object.keys(production).filter((name) => name.startsWith('site'))

describe.each([
  ['compose.yaml', trial, 'site'],
  ...replicas.map((name): [string, typeof production, string] => [
    'compose.production.yaml',
    production,
    name,
  ]),
])('%s', (_file, services, name) => {
  const site = get(services, name)

  test('the site knows every variable that is set, and starts with them', () => {
    const environment = environmentOf(site)
    expect(Object.keys(environment).filter((name) => !VARIABLES.includes(name))).toEqual([])
    const { mail, publicOrigins } = loadConfig(environment)
    expect(mail).toBeDefined()
    expect(publicOrigins).toHaveLength(1)
  })

  test('the site is built here, and may do no more than it must', () => {
    expect(site).toMatchObject({
      build: '.',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '30s',
    })
    const dataFolder = [...(site.volumes ?? []), ...(site.tmpfs ?? [])]
    expect(dataFolder.filter((place) => place.endsWith('/data'))).toHaveLength(1)
  })

  test('every other image has an exact version', () => {
    const images = Object.values(services).flatMap(({ image, build }) =>
      image && !build ? image : [],
    )
    expect(images.length).toBeGreaterThan(0)
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?$/)
  })
})

test('in production two replicas are reached through the proxy alone, and the database by them alone', () => {
  const published = Object.entries(production).filter(([, { ports }]) => ports)
  expect(published.map(([name]) => name)).toEqual(['proxy'])
  expect(replicas).toHaveLength(2)
  for (const name of replicas) {
    const config = loadConfig(environmentOf(get(production, name)))
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

test('in production the limits can be set in .env, as the alarms tell', () => {
  const names = ['MAIL_PER_HOUR', 'CONTACT_LIMIT', 'RETENTION_DAYS', 'QUARANTINE_DAYS']
  for (const replica of replicas) {
    expect(Object.keys(environmentOf(get(production, replica)))).toEqual(
      expect.arrayContaining(names),
    )
  }
})

test('the proxy asks both replicas, on the port on which the image listens', () => {
  const port = /\bPORT=(\d+)/.exec(read('Dockerfile'))?.[1]
  const addresses = replicas.map((name) => `${name}:${port}`)
  const caddyfile = read('Caddyfile')
  expect(caddyfile).toContain(`\treverse_proxy ${addresses.join(' ')} {`)
  expect(caddyfile).toContain(`\treverse_proxy @assets ${addresses.join(' ')} {`)
  expect(caddyfile).toContain(`\treverse_proxy ${addresses.toReversed().join(' ')} {`)
})

test('visitors over IPv6 reach the proxy under their own addresses', () => {
  const { networks } = parse(read('compose.production.yaml'), { merge: true })
  expect(networks.front).toEqual({ enable_ipv6: true })
})

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile')

  test('stands on the Node that the project has, by digest', () => {
    const node = readPackage().devDependencies.node
    expect(dockerfile).toMatch(
      new RegExp(
        `^ARG NODE_IMAGE=docker\\.io/library/node:${node.replaceAll('.', '\\.')}-slim@sha256:[0-9a-f]{64}$`,
        'm',
      ),
    )
    const bases = dockerfile.match(/^FROM .*/gm) ?? []
    expect(bases.filter((line) => !/^FROM \$\{NODE_IMAGE\}( AS \w+)?$/.test(line))).toEqual([])
    expect(bases).toHaveLength(3)
  })

  test('names the version of the project', () => {
    expect(dockerfile).toContain(`ARG VERSION=${readPackage().version}\n`)
  })

  test('copies only what the build context lets in', () => {
    const allowed =
      read('.dockerignore')
        .match(/^!.*/gm)
        ?.map((line) => line.slice(1)) ?? []
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*)$/gm)].flatMap(([, words = '']) =>
      words.split(' ').slice(0, -1),
    )
    expect([...new Set(copied)].toSorted()).toEqual(allowed.toSorted())
  })
})
