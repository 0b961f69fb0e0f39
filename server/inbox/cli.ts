import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RetentionPeriods } from '../../shared/page-state.ts'
import { ConfigError, loadConfig } from '../config/config.ts'
import {
  type Command,
  type CommandName,
  chooseCommandLanguage,
  parseCommand,
  UsageError,
} from './command/arguments.ts'
import { exportAll, list, show } from './command/browse.ts'
import {
  type CommandContext,
  CommandFailure,
  createProgress,
  type Output,
} from './command/context.ts'
import { en, type Words } from './command/en.ts'
import { fr } from './command/fr.ts'
import { importFile } from './command/import.ts'
import { backup, stats, verify } from './command/maintenance.ts'
import { archive, erase, purge, release, retry } from './command/triage.ts'
import { createInbox } from './create-inbox.ts'
import { type Inbox, InboxUnavailable, OperationRefused } from './inbox.ts'

const COMMANDS: Record<CommandName, (context: CommandContext, command: Command) => Output> = {
  list,
  show,
  export: exportAll,
  import: importFile,
  release,
  retry,
  archive,
  erase,
  purge,
  backup,
  verify,
  stats,
}

interface CliParts {
  /** Called only for commands that need the inbox; `create` creates a missing one. */
  openInbox: (options: { create: boolean }) => { inbox: Inbox; periods: RetentionPeriods }
  env: NodeJS.ProcessEnv
  stdout: Writable
  stderr: Writable & { isTTY?: boolean }
}

/** Writes with backpressure; a reader that closes early, such as head, is no error. */
async function write(stream: Writable, texts: AsyncGenerator<string> | string[]): Promise<void> {
  try {
    await pipeline(Readable.from(texts), stream, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

function explain(error: unknown, words: Words): string {
  if (error instanceof InboxUnavailable) return words.unavailable(error)
  if (error instanceof ConfigError) return words.wrongSettings(error)
  if (!Error.isError(error)) return words.failed(String(error))
  if (error instanceof UsageError || error instanceof CommandFailure) return error.message
  return error instanceof OperationRefused ? words.refused(error) : words.failed(error.message)
}

/** The inbox command: takes its arguments, resolves to its exit status (0, 1 or 2). */
export function createCli({ openInbox, env, stdout, stderr }: CliParts) {
  async function run(command: Command, words: Words): Promise<void> {
    // A move to another store imports into a store that does not exist yet.
    const { inbox, periods } = openInbox({ create: command.name === 'import' })
    const progress = createProgress(stderr)
    const remarks: string[] = []
    const remark = (text: string) => remarks.push(`${text}\n`)
    const context = { inbox, periods, words, progress, remark }
    try {
      await write(stdout, COMMANDS[command.name](context, command))
      await write(stderr, remarks)
    } finally {
      progress.clear()
      await inbox.close()
    }
  }

  return async function runCli(args: string[]): Promise<number> {
    const words = { fr, en }[chooseCommandLanguage(args, env)]
    try {
      const command = parseCommand(args, words)
      if (command) await run(command, words)
      else await write(stdout, [words.usage])
      return 0
    } catch (error) {
      const isUsage = error instanceof UsageError
      await write(stderr, [`${explain(error, words)}\n`, isUsage ? `\n${words.usage}` : ''])
      return isUsage ? 2 : 1
    }
  }
}

if (import.meta.main) {
  const { stdout, stderr, env, argv } = process
  // Some pipe errors arrive only after everything was written.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = 1
    })
  }
  const openInbox = ({ create }: { create: boolean }) => {
    const { database, retention } = loadConfig(env)
    return { inbox: createInbox(database, { create, ...retention }), periods: retention }
  }
  process.exitCode = await createCli({ openInbox, env, stdout, stderr })(argv.slice(2))
}
