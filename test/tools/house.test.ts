import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

interface Import {
  file: string
  /** A path from the root, or the name of a package. */
  target: string
}

const sourcesOf = (room: string) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${room}/${name}`)
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const IMPORTS = /(?:\bfrom|\bimport|\bimport\(|new URL\()\s*'([^']+)'/g

function importsOf(room: string): Import[] {
  return sourcesOf(room).flatMap((file) =>
    [...read(file).matchAll(IMPORTS)].map(([, specifier = '']) => ({
      file,
      target: specifier.startsWith('.')
        ? relative(ROOT, join(ROOT, dirname(file), specifier))
        : specifier,
    })),
  )
}

const inRoom = (target: string, ...rooms: string[]) =>
  rooms.some((room) => target.startsWith(`${room}/`))
const isLocal = ({ target }: Import) => existsSync(join(ROOT, target))
const say = ({ file, target }: Import) => `${file} imports ${target}`

test('imports are found, and those of our own files exist', () => {
  const all = ['shared', 'client', 'server'].flatMap(importsOf)
  expect(all.length).toBeGreaterThan(100)
  expect(all.map(say)).toContain('server/app.ts imports server/config/config.ts')
  const rooms = ['shared', 'client', 'server', 'test', 'scripts', 'node_modules']
  const missing = all.filter((each) => inRoom(each.target, ...rooms) && !isLocal(each))
  expect(missing.map(say)).toEqual([])
})

test('shared imports nothing from outside, save zod', () => {
  const foreign = importsOf('shared').filter(
    ({ target }) => !inRoom(target, 'shared') && !/^zod(\/|$)/.test(target),
  )
  expect(foreign.map(say)).toEqual([])
})

test('the client imports from client and shared, and packages', () => {
  const foreign = importsOf('client').filter(
    (each) =>
      each.target.startsWith('node:') ||
      each.target.startsWith('..') ||
      (isLocal(each) && !inRoom(each.target, 'client', 'shared')),
  )
  expect(foreign.map(say)).toEqual([])
})

test('the server imports from server and shared, and packages', () => {
  const foreign = importsOf('server').filter(
    (each) =>
      each.target.startsWith('..') || (isLocal(each) && !inRoom(each.target, 'server', 'shared')),
  )
  expect(foreign.map(say)).toEqual([])
  const client = importsOf('server').filter(({ target }) => /^react/.test(target))
  expect(client.map(say)).toEqual([])
})

test('nothing imports node:http past server/connection/node-http.ts, which says why', () => {
  const importers = sourcesOf('server').filter((file) =>
    /^import (?!type\b)[^\n]*'node:http'/m.test(read(file)),
  )
  expect(importers).toEqual([])
})

test('only the two commands read the environment', () => {
  const readers = ['shared', 'client', 'server']
    .flatMap(sourcesOf)
    .filter((file) => /\bprocess\.env\b|\bprocess\['env'\]|\bimport\.meta\.env\b/.test(read(file)))
  const commands = ['server/main.ts', 'server/inbox/cli.ts']
  expect(readers.filter((file) => !commands.includes(file))).toEqual([])
  expect(readers).toContain('server/main.ts')
})

test('shared knows neither Node nor a browser', () => {
  const GLOBALS = /(?<![.\w])(?:process|Buffer|document|window|localStorage|navigator)\s*[.[]/
  expect(sourcesOf('shared').filter((file) => GLOBALS.test(read(file)))).toEqual([])
})
