import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { loadConfig } from '../config/config.ts'
import { parseCommand, USAGE, UsageError } from './command/arguments.ts'
import { type InboxCommand, runCommand } from './command/commands.ts'
import { createProgress } from './command/progress.ts'
import { createInbox } from './create-inbox.ts'
import { type Inbox, InboxUnavailable } from './inbox.ts'
import { explainUnavailable } from './unavailable-text.ts'
import type { RetentionPeriods } from './upkeep.ts'

export interface CliParts {
  /** Is called only for a command that needs the inbox; `create` makes one where there is none. */
  openInbox: (options: { create: boolean }) => { inbox: Inbox; periods: RetentionPeriods }
  stdout: Writable
  stderr: Writable & { isTTY?: boolean }
}

/** Writes with backpressure; a reader that goes away early, such as head, is no fault. */
async function write(stream: Writable, texts: AsyncGenerator<string> | string[]): Promise<void> {
  try {
    await pipeline(Readable.from(texts), stream, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

function explain(error: unknown): string {
  if (error instanceof InboxUnavailable) return explainUnavailable(error)
  return Error.isError(error) ? error.message : String(error)
}

/** The inbox command: takes its words, resolves to its exit status (0, 1 or 2). */
export function createCli({ openInbox, stdout, stderr }: CliParts) {
  async function run(command: InboxCommand): Promise<void> {
    // Moving to another store begins with one that is not there yet.
    const { inbox, periods } = openInbox({ create: command.name === 'import' })
    const progress = createProgress(stderr)
    const remarks: string[] = []
    const remark = (text: string) => remarks.push(`${text}\n`)
    try {
      await write(stdout, runCommand({ inbox, periods, progress, remark }, command))
      await write(stderr, remarks)
    } finally {
      progress.clear()
      await inbox.close()
    }
  }

  return async function runCli(args: string[]): Promise<number> {
    try {
      const command = parseCommand(args)
      if (command.name === 'help') await write(stdout, [USAGE])
      else await run(command)
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
  const openInbox = ({ create }: { create: boolean }) => {
    const { database, retention } = loadConfig(env)
    return { inbox: createInbox(database, { create, ...retention }), periods: retention }
  }
  process.exitCode = await createCli({ openInbox, stdout, stderr })(argv.slice(2))
}
