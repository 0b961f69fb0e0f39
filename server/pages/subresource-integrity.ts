import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Path of a script -> digest of its bytes. */
export type Integrities = Map<string, string>

/** `folder` is the built client, served at `/`. */
export async function readIntegrities(folder: string): Promise<Integrities> {
  const names = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'))
  const hash = async (name: string): Promise<[string, string]> => {
    const bytes = await readFile(join(folder, 'assets', name))
    return [`/assets/${name}`, `sha384-${createHash('sha384').update(bytes).digest('base64')}`]
  }
  return new Map(await Promise.all(names.map(hash)))
}

/** Adds `integrity` to each tag that loads or preloads a script. */
export function addIntegrity(html: string, integrities: Integrities): string {
  return html.replace(/<(?:script|link)\b[^>]* (?:src|href)="([^"]+)"/g, (tag, address) => {
    const integrity = integrities.get(address)
    return integrity ? `${tag} integrity="${integrity}"` : tag
  })
}
