import { createWriteStream, fstatSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { fill } from '../../shared/format.ts'
import { ConfigError, loadConfig } from '../config/config.ts'
import {
  type Arguments,
  chooseCommandLanguage,
  parseCommand,
  type Syntax,
  UsageError,
} from './command/arguments.ts'
import { exportAll, list, show } from './command/browse.ts'
import {
  type CommandContext,
  CommandFailure,
  createProgress,
  type Output,
} from './command/context.ts'
import { erase, purge } from './command/erase.ts'
import { formatFileError } from './command/format.ts'
import { importFile } from './command/import.ts'
import { backup, stats, verify } from './command/maintenance.ts'
import { archive, release, retry } from './command/triage.ts'
import { WORDS, type Words } from './command/words.ts'
import { createInbox } from './create-inbox.ts'
import type { Inbox } from './inbox.ts'
import { InboxUnavailable, OperationRefused } from './inbox-errors.ts'

interface Command extends Syntax {
  run: (context: CommandContext) => Output
  /** True creates a missing inbox, because an import may move the messages into a new store. */
  create?: boolean
}

export const COMMANDS: Record<string, Command> = {
  list: { run: list, options: ['status', 'email'] },
  show: { run: show, operand: 'reference' },
  export: { run: exportAll, options: ['format', 'status', 'email'] },
  import: { run: importFile, operand: 'file', create: true },
  release: { run: release, operand: 'reference' },
  retry: { run: retry, operand: 'reference', operandOr: 'nothing' },
  archive: { run: archive, operand: 'reference' },
  erase: { run: erase, operand: 'reference', operandOr: 'email', options: ['email'] },
  purge: { run: purge },
  backup: { run: backup, operand: 'file' },
  verify: { run: verify },
  stats: { run: stats },
}

interface CliDeps {
  /** Called only after the command line was accepted; `create` creates a missing inbox. */
  openInbox: (create: boolean) => Inbox
  env: NodeJS.ProcessEnv
  stdout: Writable
  stderr: Writable & { isTTY?: boolean }
}

/** Writes all with backpressure; a reader that closes early, such as `head`, is no error. */
async function write(stream: Writable, texts: AsyncGenerator<string> | string[]): Promise<void> {
  try {
    await pipeline(Readable.from(texts), stream, { end: false })
    await promisify((done: (error?: Error | null) => void) => stream.write('', done))()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

function explain(error: unknown, words: Words): string {
  if (error instanceof InboxUnavailable) return `${words.unavailable} ${words.explain(error)}`
  const message = Error.isError(error) ? error.message : String(error)
  if (error instanceof ConfigError) {
    const details = message.split('\n').slice(1).join('\n')
    return fill(words.wrongSettings, { message, details })
  }
  if (error instanceof UsageError || error instanceof CommandFailure) return message
  if (error instanceof OperationRefused) return formatFileError(error.subject, error.code, words)
  return fill(words.failed, { message })
}

/** Creates the inbox command. It takes the arguments and resolves to the exit status (1: failure, 2: wrong usage). */
export function createCli({ openInbox, env, stdout, stderr }: CliDeps) {
  async function runCommand({ run, create = false }: Command, given: Arguments, words: Words) {
    const inbox = openInbox(create)
    const progress = createProgress(stderr)
    const warn = (text: string) => {
      progress.clear()
      stderr.write(`${text}\n`)
    }
    try {
      await write(stdout, run({ ...given, inbox, words, progress, warn }))
    } finally {
      progress.clear()
      await inbox.close()
    }
  }

  return async function runCli(args: string[]): Promise<number> {
    const words = WORDS[chooseCommandLanguage(args, env)]
    try {
      const parsed = parseCommand(args, COMMANDS, words)
      if (parsed) await runCommand(parsed.command, parsed.given, words)
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
  const { stderr, env, argv } = process
  // When a full disk takes only part of a text, Node's own stdout drops the rest without an error.
  const stdout = fstatSync(1).isFile() ? createWriteStream('', { fd: 1 }) : process.stdout
  // Some pipe errors arrive only after everything was written.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = 1
    })
  }
  const openInbox = (create: boolean) => {
    const { database, mail } = loadConfig(env)
    return createInbox(database, { create, salvage: true, mailPerHour: mail?.perHour })
  }
  process.exitCode = await createCli({ openInbox, env, stdout, stderr })(argv.slice(2))
}
