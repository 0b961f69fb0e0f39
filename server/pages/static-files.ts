import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { RequestHandler } from 'express'
import { answerRoutes, type Routes } from '../requests/routes.ts'
import { chooseEncoding, type Encoding } from './encoding.ts'

interface File {
  headers: Record<string, string>
  encodings: Map<Encoding, Buffer>
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

/** Serves the built client from memory: a new build does not change a running site. */
export async function createStaticFiles(folder: string) {
  const files = await readFiles(folder)
  const routes = files.map(([path, file]): [string, Routes[string]] => {
    return [path, { GET: { label: 'file', answer: createAnswer(file) } }]
  })
  const scripts = files
    .filter(([path]) => path.endsWith('.js'))
    .map(([path, { encodings }]) => {
      const lines = String(encodings.get('identity')).split('\n')
      return [path.slice(1), lines.map(({ length }) => length)] as const
    })
  return { files: answerRoutes(Object.fromEntries(routes)), scripts: new Map(scripts) }
}

const createAnswer =
  ({ headers, encodings }: File): RequestHandler =>
  (req, res) => {
    res.set(headers)
    if (req.fresh) {
      res.status(304).end()
      return
    }
    const encoding = chooseEncoding(req.get('Accept-Encoding'), [...encodings.keys()])
    if (encoding !== 'identity') res.set('Content-Encoding', encoding)
    res.end(encodings.get(encoding))
  }

async function readFiles(folder: string): Promise<[path: string, File][]> {
  const names = await readdir(folder, { recursive: true })
  const present = new Set(names)
  const served = names.filter((name) => TYPES[extname(name)] && !name.startsWith('.'))
  const read = async (name: string): Promise<[string, File]> => {
    const bytes = await readFile(join(folder, name))
    const encodings = new Map<Encoding, Buffer>()
    if (present.has(`${name}.br`)) encodings.set('br', await readFile(join(folder, `${name}.br`)))
    if (present.has(`${name}.gz`)) encodings.set('gzip', await readFile(join(folder, `${name}.gz`)))
    encodings.set('identity', bytes)
    const isHashed = name.startsWith('assets/')
    const headers = {
      'Content-Type': TYPES[extname(name)] ?? '',
      'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      ETag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      Vary: 'Accept-Encoding',
    }
    return [`/${name}`, { headers, encodings }]
  }
  return Promise.all(served.map(read))
}
