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
const getName = (place: string) => place.replace(/^.*node_modules\//, '')

/** Licences allowed for packages in the image or in the browser. */
const FREE = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause'],
  ...['Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'Zlib'],
]
/** Further licences allowed for development dependencies. */
const FOR_TOOLS = ['MPL-2.0', 'CC-BY-4.0', 'OFL-1.1', 'Python-2.0']

/** True if the allowed licences satisfy an SPDX expression. */
function isFree(expression: string, allowed: string[]): boolean {
  const plain = expression.replace(/[()]/g, '')
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.includes(licence)))
}

test('every package has an exact version', () => {
  const all = Object.entries({ ...dependencies, ...devDependencies }) as [string, string][]
  expect(all.length).toBeGreaterThan(30)
  const loose = all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  expect(loose).toEqual([])
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

describe('the workflows', () => {
  const folder = '.github/workflows'
  const workflows = readdirSync(join(ROOT, folder)).map((name) => read(`${folder}/${name}`))

  test('pin actions by commit, with the release in a comment', () => {
    const uses = workflows.flatMap((text) => text.match(/\buses:.*/g) ?? [])
    expect(uses.length).toBeGreaterThan(1)
    const loose = uses.filter(
      (line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line),
    )
    expect(loose).toEqual([])
  })

  test('may only read the repository', () => {
    for (const workflow of workflows.map((text) => parse(text))) {
      expect(workflow.permissions).toEqual({ contents: 'read' })
      for (const job of Object.values<{ permissions?: object }>(workflow.jobs)) {
        expect(job.permissions).toBeUndefined()
      }
    }
  })

  test('run the gate on the Node version of the project', () => {
    const versions = workflows.flatMap((text) => text.match(/(?<=node-version: ).*/g) ?? [])
    expect(new Set(versions)).toEqual(new Set([devDependencies.node]))
    expect(workflows.join('\n')).toContain('run: .ci/run')
  })
})
