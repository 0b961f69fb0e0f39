import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

interface Entry {
  version?: string
  dev?: boolean
  license?: string
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
}

const { dependencies, devDependencies, allowScripts } = JSON.parse(read('package.json'))
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> }
const entries = Object.entries(packages).filter(([place]) => place !== '')
const nameOf = (place: string) => place.replace(/^.*node_modules\//, '')

/** Licences under which a package may be handed on, in the image or to a browser. */
const FREE = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Zlib',
]
/** What may, besides, be used to build and test; the fonts are handed on, which the OFL allows. */
const FOR_TOOLS = ['MPL-2.0', 'CC-BY-4.0', 'OFL-1.1', 'Python-2.0']

/** Whether an SPDX expression can be met with these licences. */
function isFree(expression: string, allowed: string[]): boolean {
  const plain = expression.replace(/[()]/g, '')
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.includes(licence)))
}

test('every package stands at an exact version', () => {
  const all = Object.entries({ ...dependencies, ...devDependencies }) as [string, string][]
  expect(all.length).toBeGreaterThan(30)
  const loose = all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  expect(loose).toEqual([])
})

test('every package of the server is weighed in docs/decisions/dependencies.md', () => {
  const [, server = ''] = read('docs/decisions/dependencies.md').split(/^## /m)
  const weighed = [...server.matchAll(/^\| ([\w-]+) \|/gm)].map(([, name = '']) => name)
  const [head, ...rows] = weighed
  expect(head).toBe('package')
  expect(rows.toSorted()).toEqual(Object.keys(dependencies).toSorted())
})

test('the lock has a checksum of every package, and no address of a registry', () => {
  expect(entries.length).toBeGreaterThan(100)
  expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  expect(entries.filter(([, { resolved }]) => resolved)).toEqual([])
})

test('install scripts run by name only, and every one has been looked at', () => {
  const scripted = entries.filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = scripted.map(([place]) => nameOf(place))
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(names)].toSorted())
})

test('every licence allows what is done with the package', () => {
  const wrong = entries.filter(
    ([, { license = '', dev }]) => !isFree(license, dev ? [...FREE, ...FOR_TOOLS] : FREE),
  )
  expect(wrong.map(([place, { license }]) => `${nameOf(place)}: ${license}`)).toEqual([])
})

test.each([
  ['MIT', true],
  ['MIT OR GPL-3.0-only', true],
  ['(MIT OR CC0-1.0)', true],
  ['Apache-2.0 AND MIT', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['', false],
])('the licence %p may be used: %p', (expression, free) => {
  expect(isFree(expression, FREE)).toBe(free)
})

describe('the workflows', () => {
  const folder = '.github/workflows'
  const workflows = readdirSync(join(ROOT, folder)).map((name) => read(`${folder}/${name}`))

  test('they name actions by commit, with their release beside it', () => {
    const uses = workflows.flatMap((text) => text.match(/\buses:.*/g) ?? [])
    expect(uses.length).toBeGreaterThan(1)
    const loose = uses.filter(
      (line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line),
    )
    expect(loose).toEqual([])
  })

  test('they may read the sources, and nothing else', () => {
    for (const workflow of workflows.map((text) => parse(text))) {
      expect(workflow.permissions).toEqual({ contents: 'read' })
      for (const job of Object.values<{ permissions?: object }>(workflow.jobs)) {
        expect(job.permissions).toBeUndefined()
      }
    }
  })

  test('they run the gate on the Node of the project', () => {
    const versions = workflows.flatMap((text) => text.match(/(?<=node-version: ).*/g) ?? [])
    expect(new Set(versions)).toEqual(new Set([devDependencies.node]))
    expect(workflows.join('\n')).toContain('run: .ci/run')
  })
})

test('updates are asked for packages, images and actions', () => {
  const { extends: presets } = JSON.parse(read('renovate.json'))
  expect(presets).toEqual(['config:best-practices'])
})
