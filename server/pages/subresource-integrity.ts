import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The address of a script to what its bytes must be. */
export type Integrities = Map<string, string>

/** Reads the scripts of the built client; `folder` is what is served at `/`. */
export async function readIntegrities(folder: string): Promise<Integrities> {
  const names = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'))
  const hash = async (name: string): Promise<[string, string]> => {
    const bytes = await readFile(join(folder, 'assets', name))
    return [`/assets/${name}`, `sha384-${createHash('sha384').update(bytes).digest('base64')}`]
  }
  return new Map(await Promise.all(names.map(hash)))
}

/** Has browsers check every script that the tags of a document load or preload. */
export function addIntegrity(html: string, integrities: Integrities): string {
  return html.replace(/<(?:script|link)\b[^>]* (?:src|href)="([^"]+)"/g, (tag, address) => {
    const integrity = integrities.get(address)
    return integrity ? `${tag} integrity="${integrity}"` : tag
  })
}
