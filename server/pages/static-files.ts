import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { answerRoutes, type Routes } from '../requests/routes.ts'
import { answerConstant, type Body, compress } from './constant-answer.ts'
import { isPublished, TYPES } from './file-types.ts'

const ROOT = join(import.meta.dirname, '../..')

const COMPRESSIBLE = /text|json|xml/

function getType(file: string): string {
  const type = TYPES[extname(file).toLowerCase()]
  if (type) return type
  const name = relative(ROOT, file)
  throw new Error(
    `${name} has no content type: add its ending to TYPES in server/pages/file-types.ts`,
  )
}

/** Reads a folder at the start: a new build or checkout does not change a running site. */
async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  const read = async (path: string) => [path, await readFile(path)] as const
  return new Map(await Promise.all(paths.map(read)))
}

/** The file's path in a URL, where `root` is `/`. */
const getPath = (file: string, root: string) =>
  pathToFileURL(file).pathname.slice(pathToFileURL(root).pathname.length)

function createRoute(file: string, body: Body, headers: Record<string, string>): Routes[string] {
  return { GET: { label: 'file', answer: answerConstant(getType(file), body, headers) } }
}

/** Other sites may show the files: pictures of shared links, for instance. */
const PUBLISHED = { 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** The files that the firm publishes: `/x.pdf` is x.pdf in this folder. */
export async function createPublishedFiles(folder = join(ROOT, 'client/public')): Promise<Routes> {
  const routes: Routes = {}
  for (const [file, bytes] of await readFiles(folder)) {
    const path = getPath(file, folder)
    if (!isPublished(path)) continue
    const body = COMPRESSIBLE.test(getType(file)) ? compress(bytes) : { identity: bytes }
    routes[path] = createRoute(file, body, PUBLISHED)
  }
  return routes
}

/** Matches the name of a file that contains the hash of its content. */
const HASHED = /-[\w-]{8}\.\w+$/
const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** The scripts, styles and fonts of the bundle in `root`. */
export async function createAssets(root: string) {
  const routes: Routes = {}
  const scripts = new Map<string, number[]>()
  const files = await readFiles(join(root, 'assets'))
  for (const [file, identity] of files) {
    if (/\.(?:br|gz)$/.test(file)) continue
    const path = getPath(file, root)
    const body = { identity, br: files.get(`${file}.br`), gzip: files.get(`${file}.gz`) }
    routes[path] = createRoute(file, body, HASHED.test(path) ? IMMUTABLE : {})
    if (path.endsWith('.js')) {
      const lines = String(identity).split('\n')
      const lengths = lines.map(({ length }) => length)
      scripts.set(path.slice(1), lengths)
    }
  }
  return { assets: answerRoutes(routes), scripts }
}
