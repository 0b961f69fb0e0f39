import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { loadConfig } from '../config.ts'
import { type Command, parseCommand, USAGE, UsageError } from './cli-arguments.ts'
import { EXPORT_FORMATS } from './export-formats.ts'
import { type Inbox, InboxUnavailable } from './inbox.ts'
import { type ReadOptions, readPages } from './read-pages.ts'
import { createSqliteInbox } from './sqlite/inbox.ts'
import { disarm, formatListLine, formatMessage, LIST_HEADER } from './terminal.ts'

export interface CliParts {
  /** Is called only for a command that needs the inbox. */
  openInbox: () => Inbox
  stdout: Writable
  stderr: Writable
}

type Lines = AsyncGenerator<string> | string[]

// How long one transaction may take, in ms.
const PATIENCE = 10_000

class NotFound extends Error {}

async function* format(
  inbox: Inbox,
  options: Pick<ReadOptions, 'order' | 'status'>,
  { header, formatRow }: (typeof EXPORT_FORMATS)['csv'],
): AsyncGenerator<string> {
  yield header
  for await (const page of readPages(inbox, { ...options, patience: PATIENCE })) {
    yield page.map(formatRow).join('')
  }
}

async function findLines(
  inbox: Inbox,
  command: Exclude<Command, { name: 'help' }>,
): Promise<Lines> {
  const note = (subject: string) => inbox.audit(command.name, subject, Date.now() + PATIENCE)
  switch (command.name) {
    case 'list': {
      const { status } = command
      await note(status ?? '')
      const table = { header: LIST_HEADER, formatRow: formatListLine }
      return format(inbox, { status, order: 'newest-first' }, table)
    }
    case 'show': {
      const { reference } = command
      await note(reference)
      const message = await inbox.find(reference, Date.now() + PATIENCE)
      if (!message) throw new NotFound(`There is no message ${disarm(reference)}.`)
      return [formatMessage(message)]
    }
    case 'export': {
      const { status } = command
      await note([command.format, status ?? ''].join(' ').trim())
      return format(inbox, { status, order: 'oldest-first' }, EXPORT_FORMATS[command.format])
    }
  }
}

/** Writes with backpressure; a reader that goes away early, such as head, is no fault. */
async function write(stream: Writable, lines: Lines): Promise<void> {
  try {
    await pipeline(Readable.from(lines), stream, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

function explain(error: unknown): string {
  if (error instanceof InboxUnavailable && error.reason === 'missing') {
    return 'There is no inbox yet: the site makes it when it starts. Check DATABASE_URL.'
  }
  return Error.isError(error) ? error.message : String(error)
}

/** The inbox command: takes its words, resolves to its exit status (0, 1 or 2). */
export function createCli({ openInbox, stdout, stderr }: CliParts) {
  async function readInbox(command: Exclude<Command, { name: 'help' }>): Promise<number> {
    const inbox = openInbox()
    try {
      await write(stdout, await findLines(inbox, command))
      return 0
    } finally {
      await inbox.close()
    }
  }

  return async function runCli(args: string[]): Promise<number> {
    try {
      const command = parseCommand(args)
      if (command.name !== 'help') return await readInbox(command)
      await write(stdout, [USAGE])
      return 0
    } catch (error) {
      const wrongUsage = error instanceof UsageError
      await write(stderr, [`${explain(error)}\n`, ...(wrongUsage ? [`\n${USAGE}`] : [])])
      return wrongUsage ? 2 : 1
    }
  }
}

if (import.meta.main) {
  const { stdout, stderr, env, argv } = process
  // Some faults of a pipe show only after everything has been handed to it.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = 1
    })
  }
  const openInbox = () => {
    const { path } = loadConfig(env).database
    return createSqliteInbox({ path, create: false })
  }
  process.exitCode = await createCli({ openInbox, stdout, stderr })(argv.slice(2))
}
