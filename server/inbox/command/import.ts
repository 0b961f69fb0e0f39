import * as z from 'zod'
import { SERVICE_IDS } from '../../../shared/constants.ts'
import { LANGUAGES } from '../../../shared/language.ts'
import { MESSAGE_STATUSES, type Message } from '../inbox.ts'
import { isReference } from '../reference.ts'
import { type CommandContext, CommandFailure, type Output, PIECE, soon } from './context.ts'
import { type Line, readLines } from './read-lines.ts'

const MOST_FAULTS = 20

const time = z.iso.datetime('is not a time like 2026-05-04T12:00:00.000Z')
const text = z.string('is missing or not text')

const exported = z.object({
  reference: text.refine(isReference, 'is not a reference'),
  receivedAt: time,
  status: z.enum(MESSAGE_STATUSES, 'is not a status'),
  firstName: text,
  lastName: text,
  email: text,
  service: z.enum([...SERVICE_IDS, ''], 'is not a service'),
  message: text,
  language: z.enum(LANGUAGES, 'is not a language'),
  trapped: z.array(text.regex(/^\w+$/, 'is not a field')).default([]),
  readAt: time.optional(),
})

/** The message of a line that `export` wrote; throws what is wrong with it, without repeating any of it. */
function parseMessage({ number, text }: Line): Message {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new CommandFailure(`Line ${number} is not JSON.`)
  }
  const { data, error } = exported.safeParse(value)
  if (data) return data
  const [issue] = error.issues
  const subject =
    issue?.path[0] === undefined ? 'is not an object' : `${String(issue.path[0])} ${issue.message}`
  throw new CommandFailure(`Line ${number}: ${subject}.`)
}

async function checkLines(file: string, { progress }: CommandContext): Promise<number> {
  const faults: string[] = []
  let count = 0
  for await (const line of readLines(file)) {
    try {
      parseMessage(line)
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error
      faults.push(error.message)
      if (faults.length === MOST_FAULTS) break
    }
    count += 1
    progress.show(`${count} lines checked`)
  }
  if (faults.length > 0) {
    throw new CommandFailure([...faults, 'Nothing was imported.'].join('\n'))
  }
  return count
}

/** Reads the file twice, so that one broken line stops all of it before anything is kept. */
export async function* importFile(context: CommandContext, { file }: { file: string }): Output {
  const { inbox, progress } = context
  const lines = await checkLines(file, context)
  const result = { imported: 0, present: 0, different: [] as string[] }
  let piece: Message[] = []

  async function flush(): Promise<void> {
    const { imported, present, different } = await inbox.importMessages(piece, soon())
    result.imported += imported
    result.present += present
    result.different.push(...different)
    piece = []
    progress.show(`${result.imported + result.present} of ${lines} messages imported`)
  }

  for await (const line of readLines(file)) {
    piece.push(parseMessage(line))
    if (piece.length === PIECE) await flush()
  }
  await flush()
  await inbox.audit('import', `${result.imported} messages`, soon())
  yield `Messages imported: ${result.imported}\nMessages that were here already: ${result.present}\n`
  if (result.different.length > 0) {
    throw new CommandFailure(
      `These references stand for something else here, and were left alone:\n${result.different.join('\n')}`,
    )
  }
}
