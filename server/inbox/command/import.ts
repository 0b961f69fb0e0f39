import { open } from 'node:fs/promises'
import * as z from 'zod'
import { SERVICE_IDS } from '../../../shared/constants.ts'
import { fill } from '../../../shared/format.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { soon } from '../batches.ts'
import { MESSAGE_STATUSES, type Message, OperationRefused } from '../inbox.ts'
import { REFERENCE_PATTERN } from '../message.ts'
import { BATCH_SIZE, type CommandContext, CommandFailure, type Output } from './context.ts'
import { formatEntry } from './format.ts'
import type { Words } from './words.ts'

const MAX_LINE_BYTES = 1024 * 1024

const exported = z.object({
  reference: z.string().regex(REFERENCE_PATTERN, 'expected RG-XXXXX-XXXXX'),
  receivedAt: z.iso.datetime(),
  status: z.enum(MESSAGE_STATUSES),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  service: z.enum([...SERVICE_IDS, '']),
  message: z.string(),
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

/** A U+2028 inside of JSON ends no line. A line of an export is at most 30 kB. */
async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield rest.subarray(0, end)
      rest = rest.subarray(end + 1)
    }
    // The reader refuses it.
    if (rest.length > MAX_LINE_BYTES) break
  }
  yield rest
}

async function* readMessages(file: string, words: Words): AsyncGenerator<Message> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 0
  try {
    await using handle = await open(file)
    const stats = await handle.stat()
    // The second reading of a pipe would be empty.
    if (!stats.isFile() && !stats.isDirectory()) throw new OperationRefused('ESPIPE', file)
    for await (const bytes of readLines(handle.createReadStream())) {
      line += 1
      if (bytes.length > MAX_LINE_BYTES) throw new CommandFailure(fill(words.lineTooLong, { line }))
      const text = decoder.decode(bytes)
      if (text.trim()) yield parseMessage(text, line, words)
    }
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new CommandFailure(fill(words.notUtf8, { line }))
    }
    throw syscall ? new OperationRefused(code, file) : error
  }
}

async function countMessages({ operand, words, progress }: CommandContext): Promise<number> {
  let count = 0
  for await (const _ of readMessages(operand, words)) {
    count += 1
    progress.show(formatEntry(words.checked, count, words))
  }
  return count
}

/** Reads the file twice, so that one broken line stops the import before any message is stored. */
export async function* importFile(context: CommandContext): Output {
  const { inbox, words, progress, operand } = context
  const total = await countMessages(context)
  const different: string[] = []
  const erased: string[] = []
  let imported = 0
  let present = 0
  let batch: Message[] = []

  async function flush(): Promise<void> {
    const result = await inbox.importMessages(batch, soon())
    imported += result.imported
    present += result.present
    different.push(...result.different)
    erased.push(...result.erased)
    batch = []
    progress.show(formatEntry(words.imported, `${imported + present} / ${total}`, words))
  }

  for await (const message of readMessages(operand, words)) {
    batch.push(message)
    if (batch.length === BATCH_SIZE) await flush()
  }
  await flush()
  yield `${formatEntry(words.imported, imported, words)}\n${formatEntry(words.present, present, words)}\n`
  if (erased.length > 0) yield `${[words.erasedHere, ...erased].join('\n')}\n`
  if (different.length > 0) throw new CommandFailure([words.different, ...different].join('\n'))
}
