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
function* parseMessages(bytes: Buffer, words: Words): Generator<Message> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 0
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf('\n', start)
    const end = found < 0 ? bytes.length : found
    line += 1
    let text: string
    try {
      text = decoder.decode(bytes.subarray(start, end))
    } catch {
      throw new CommandFailure(fill(words.notUtf8, { line }))
    }
    if (text.trim()) yield parseMessage(text, line, words)
    start = end + 1
  }
}

/** Parses the file twice, so that one broken line stops the import before any message is stored. */
export async function* importFile({ inbox, words, progress, operand }: CommandContext): Output {
  const bytes = await readFile(operand).catch(({ code }) => {
    throw new OperationRefused(code, operand)
  })
  const total = parseMessages(bytes, words).reduce((count) => count + 1, 0)
  const different: string[] = []
  const erased: string[] = []
  let imported = 0
  let present = 0
  let batch: Message[] = []

  async function flush(): Promise<void> {
    const result = await inbox.importMessages(soon(), batch)
    imported += result.imported
    present += result.present
    different.push(...result.different)
    erased.push(...result.erased)
    batch = []
    progress.show(formatEntry(words.imported, `${imported + present} / ${total}`, words))
  }

  for (const message of parseMessages(bytes, words)) {
    batch.push(message)
    if (batch.length === BATCH_SIZE) await flush()
  }
  await flush()
  yield `${formatEntry(words.imported, imported, words)}\n${formatEntry(words.present, present, words)}\n`
  if (erased.length > 0) yield `${[words.erasedHere, ...erased].join('\n')}\n`
  if (different.length > 0) throw new CommandFailure([words.different, ...different].join('\n'))
}
