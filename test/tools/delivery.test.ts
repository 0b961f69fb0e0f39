import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { loadConfig, VARIABLES } from '../../server/config.ts'
import { read } from '../../tools/harness/project.ts'

/** An operator's .env file. */
const SETTINGS: Record<string, string> = {
  SITE_HOST: 'www.example.ca',
  DATABASE_PASSWORD: '6c1f0d',
  SMTP_URL: 'smtps://site:secret@mail.example.ca',
  MAIL_FROM: 'site@example.ca',
  MAIL_TO: 'office@example.ca',
}
const VARIABLE = /\$\{(\w+):([?-])(.*?)\}/g

/** Reads a compose file and fills in the settings; throws when a required setting is missing. */
function readServices(file: string) {
  const filled = read(file).replace(VARIABLE, (_, name: string, sign: string, fallback: string) => {
    const value = SETTINGS[name] ?? (sign === '-' ? fallback : undefined)
    if (value === undefined) throw new Error(`${file} needs ${name}`)
    return value
  })
  return parse(filled, { merge: true }).services
}
const small = readServices('compose.yaml')
const large = readServices('compose.postgres.yaml')

test('the image starts the site as npm start does', () => {
  const image = read('Dockerfile')
  const command = JSON.parse(/^CMD (.*)/m.exec(image)?.[1] ?? '')
  expect(packageFile.scripts.start).toBe(`NODE_ENV=production exec ${command.join(' ')}`)
  expect(image).toMatch(/^ENV NODE_ENV=production\b/m)
})

test.each([
  ['compose.yaml', {}, 'sqlite'],
  ['compose.postgres.yaml', large.site.environment, 'postgres'],
])('with %s the site can use its environment', (_, more, kind) => {
  // The image names the database of the small set-up.
  const image = { DATABASE_URL: 'sqlite:/data/inbox.sqlite' }
  const given = Object.entries({ ...image, ...SETTINGS, ...small.site.environment, ...more })
  expect(
    loadConfig(Object.fromEntries(given.map(([key, value]) => [key, `${value}`]))),
  ).toMatchObject({
    database: { kind },
    publicOrigins: ['https://www.example.ca'],
    trustProxy: 1,
    mail: { to: SETTINGS.MAIL_TO },
  })
  expect(small.site.env_file).toBe('.env')
})

test('only the proxy is published, and what answers the web is confined', () => {
  const services = { ...small, ...large, site: { ...small.site, ...large.site } }
  const isOpen = (name: string) => services[name].ports && !services[name].profiles
  expect(Object.keys(services).filter(isOpen)).toEqual(['caddy'])
  const confined = { read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' }
  for (const name of ['caddy', 'site']) expect(services[name]).toMatchObject(confined)
})

test('.env.example has what the compose files read, and nothing that nobody reads', () => {
  const files = read('compose.yaml') + read('compose.postgres.yaml')
  const filled = [...files.matchAll(VARIABLE)].map(([, name]) => name)
  const named = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(named).toEqual(expect.arrayContaining(filled))
  const known = [...filled, ...VARIABLES, 'COMPOSE_FILE', 'COMPOSE_PROFILES']
  expect(named.filter((name) => !known.includes(`${name}`))).toEqual([])
})

test('the proxy gets each variable of the Caddyfile', () => {
  const used = [...read('Caddyfile').matchAll(/\{\$(\w+)\}/g)].map(([, name = '']) => name)
  expect(Object.keys(small.caddy.environment).toSorted()).toEqual([...new Set(used)].toSorted())
})
