import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { mapFields } from '../../../shared/contact-fields.ts'
import { fill } from '../../../shared/format.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { soon } from '../batches.ts'
import type { Message } from '../inbox.ts'
import { OperationRefused } from '../inbox-errors.ts'
import { MESSAGE_STATUSES, REFERENCE_PATTERN } from '../message.ts'
import { BATCH_SIZE, type CommandContext, CommandFailure, type Output } from './context.ts'
import { formatEntry } from './format.ts'
import type { Words } from './words.ts'

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
function parseMessage(text: string, line: number, words: Words): Message {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {}
  const { data, error } = exported.safeParse(value)
  if (data) return data
  const [issue] = error.issues
  if (!issue?.path[0]) throw new CommandFailure(fill(words.notAnObject, { line }))
  const values = { line, field: String(issue.path[0]), detail: issue.message }
  throw new CommandFailure(fill(words.wrongField, values))
}

/** The lines of a file end with a line feed only: a U+2028 in JSON ends no line. */
function parseMessages(bytes: Buffer, words: Words): Message[] {
  if (!isUtf8(bytes)) throw new CommandFailure(words.notUtf8)
  const lines = bytes.toString().split('\n')
  return lines.flatMap((text, index) => (text.trim() ? [parseMessage(text, index + 1, words)] : []))
}

/** Parses the whole file first, so that one broken line stops the import before any message is stored. */
export async function* importFile({ inbox, words, progress, operand }: CommandContext): Output {
  const bytes = await readFile(operand).catch(({ code }) => {
    throw new OperationRefused(code, operand)
  })
  const messages = parseMessages(bytes, words)
  const different: string[] = []
  const erased: string[] = []
  let imported = 0
  let present = 0
  for (let done = 0; done < messages.length; done += BATCH_SIZE) {
    const batch = messages.slice(done, done + BATCH_SIZE)
    const result = await inbox.importMessages(soon(), batch)
    imported += result.imported
    present += result.present
    different.push(...result.different)
    erased.push(...result.erased)
    progress.show(formatEntry(words.imported, `${imported + present} / ${messages.length}`, words))
  }
  yield `${formatEntry(words.imported, imported, words)}\n${formatEntry(words.present, present, words)}\n`
  if (erased.length > 0) yield `${[words.erasedHere, ...erased].join('\n')}\n`
  if (different.length > 0) throw new CommandFailure([words.different, ...different].join('\n'))
}
