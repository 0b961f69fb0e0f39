import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'
import { mapFields } from '../../../shared/contact-fields.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { eraseWhere, WAS_ERASED } from '../erase.ts'
import { readErasedLists } from '../erased-list.ts'
import { MESSAGE_STATUSES, type Message, REFERENCE_PATTERN } from '../message.ts'
import { importMessages } from '../messages.ts'
import type { Given } from './given.ts'

const exported = z.object({
  reference: z.string().regex(REFERENCE_PATTERN, 'expected RG-XXXXX-XXXXX'),
  receivedAt: z.iso.datetime(),
  status: z.enum(MESSAGE_STATUSES),
  // An export of an older build lacks fields that came later.
  ...mapFields((_, { isRequired }) => (isRequired ? z.string() : z.string().default(''))),
  // Also a service that the form no longer has.
  service: z.string().regex(/^[\w-]*$/),
  language: z.enum(LANGUAGES),
  trapped: z.array(z.string().regex(/^\w+$/)).default([]),
})

/** Parses a line of an export. Errors do not quote the line, which may be private. */
function parseMessage(line: string, number: number): Message {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {}
  const { data, error } = exported.safeParse(value)
  if (data) return data
  const [issue] = error.issues
  const field = issue?.path[0]
  const fault = field ? `, ${String(field)}: ${issue?.message}` : ' is not a JSON object'
  throw new Error(`Line ${number}${fault}. Nothing was imported.`)
}

export function parseExport(bytes: Uint8Array): Message[] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  // Only a line feed ends a line: JSON may have a U+2028.
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() ? [parseMessage(line, index + 1)] : []))
}

export async function importFile({ store, file, backup }: Given): Promise<string> {
  const messages = parseExport(readFileSync(file))
  // A dump of PostgreSQL may have brought back what was erased since.
  const broughtBack = await store.transaction(async (db) => {
    await readErasedLists(db, [backup.folder, dirname(file)])
    return eraseWhere(db, WAS_ERASED, [])
  })
  const { imported, present, erased } = await importMessages(store, messages)
  const counts = `Messages imported: ${imported}\nMessages that were here already: ${present}\n`
  const gone = [...new Set([...broughtBack, ...erased])]
  if (gone.length === 0) return counts
  return `${counts}Not imported, because they were erased from this inbox:\n${gone.join('\n')}\n`
}
