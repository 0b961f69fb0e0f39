import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './process.ts'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache')

/** Installs a package that is too large to be a dependency, once for each version; resolves to its folder. */
export async function providePackage(name: string, version: string): Promise<string> {
  const folder = join(CACHE, `${name}-${version}`)
  const place = join(folder, 'node_modules', name)
  if (existsSync(place)) return place
  console.log(`${name} is missing: installing ${version} into node_modules/.cache`)
  mkdirSync(folder, { recursive: true })
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  const { status, stderr } = await run('npm', ['install', ...options, `${name}@${version}`])
  if (status !== 0) throw new Error(`${name} could not be installed: ${stderr}`)
  return place
}
