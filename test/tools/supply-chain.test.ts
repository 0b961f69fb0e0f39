import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT, read } from '../../tools/harness/project.ts'

interface Entry {
  dev?: boolean
  license?: string
  integrity?: string
  resolved?: string
  hasInstallScript?: boolean
}

const { dependencies, devDependencies, allowScripts } = JSON.parse(read('package.json'))
const { packages }: { packages: Record<string, Entry> } = JSON.parse(read('package-lock.json'))
const entries = Object.entries(packages).filter(([place]) => place !== '')
const getName = (place: string) => place.replace(/^.*node_modules\//, '')

/** Licences allowed for packages in the image or in the browser. */
const FREE = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause'],
  ...['Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'Zlib'],
]
/** Further licences allowed for development dependencies. */
const FOR_TOOLS = ['MPL-2.0', 'CC-BY-4.0', 'OFL-1.1', 'Python-2.0']

/** True if the allowed licences satisfy an SPDX expression. */
const isFree = (expression: string, allowed: string[]) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.includes(licence)))

test('every package has an exact version', () => {
  const versions = Object.values<string>({ ...dependencies, ...devDependencies })
  expect(versions.length).toBeGreaterThan(30)
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

test('the lock file has a checksum of every package, and names no registry', () => {
  expect(entries.length).toBeGreaterThan(100)
  expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  expect(entries.filter(([, { resolved }]) => resolved)).toEqual([])
})

test('package.json decides on every install script by name', () => {
  const scripted = entries.filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = scripted.map(([place]) => getName(place))
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(names)].toSorted())
})

test('every licence allows the use of the package', () => {
  const wrong = entries.filter(
    ([, { license = '', dev }]) => !isFree(license, dev ? [...FREE, ...FOR_TOOLS] : FREE),
  )
  expect(wrong.map(([place, { license }]) => `${getName(place)}: ${license}`)).toEqual([])
})

const FOLDER = '.github/workflows'
const workflows = readdirSync(join(ROOT, FOLDER)).map((name) => read(`${FOLDER}/${name}`))

test('the workflows pin actions by commit, with the release in a comment', () => {
  const uses = workflows.flatMap((text) => text.match(/\buses:.*/g) ?? [])
  expect(uses.length).toBeGreaterThan(1)
  const pinned = /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
  expect(uses.filter((line) => !pinned.test(line))).toEqual([])
})

test('the workflows may only read the repository', () => {
  for (const { permissions, jobs } of workflows.map((text) => parse(text))) {
    expect(permissions).toEqual({ contents: 'read' })
    expect(JSON.stringify(jobs)).not.toContain('"permissions"')
  }
})

test('the workflows run the gate on the Node version of the project', () => {
  const versions = workflows.flatMap((text) => text.match(/(?<=node-version: ).*/g) ?? [])
  expect(new Set(versions)).toEqual(new Set([devDependencies.node]))
  expect(workflows.join('\n')).toContain('run: .ci/run')
})
