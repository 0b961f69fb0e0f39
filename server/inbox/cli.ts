import { writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { COMMANDS } from './command/commands.ts'
import type { Opened } from './command/given.ts'
import { MESSAGE_STATUSES } from './message.ts'
import { createStore } from './store.ts'
import { explainUnavailable, StoreUnavailable, UNREADABLE } from './store-errors.ts'

const USAGE = `Usage: npm run -s inbox -- COMMAND

  list [--email ADDRESS]             the newest 50 messages, or those of a mailbox
  show REFERENCE                     one message and its last try
  export --format jsonl|csv [--status STATUS] [--email ADDRESS] [--separator ';']
                                     every message, the oldest first
  import FILE.jsonl                  reads back an export; queues only what was not mailed yet
  release REFERENCE                  not spam: takes a message out of quarantine and mails it
  retry [REFERENCE]                  mails a dead or waiting message at once, or all of them
  archive REFERENCE                  marks a message as dealt with; it is not mailed any more
  erase REFERENCE | --email ADDRESS  erases a message, or all messages of a mailbox
  purge                              erases messages that expired more than a day ago
  backup FILE                        a checked copy, while the site runs; of PostgreSQL, an export
  restore FILE                       goes back to a backup and keeps what came later; the site must be stopped (SQLite)
  verify                             finds damage: SQLite checks itself, and every message is read
  stats                              messages by status, and errors by day and place

STATUS is one of ${MESSAGE_STATUSES.join(', ')}.
--email finds a mailbox in every spelling of its ADDRESS.
DATABASE_URL names the inbox (default: sqlite:./data/inbox.sqlite).
Exit status: 0 done, 1 failed or no such reference, 2 wrong usage, 3 the store is damaged or its disk fails.
`

/** Time for what a command does with the whole store. */
const TIMEOUT_MS = 10 * 60_000

class UsageError extends Error {}

function parse(name: string, args: string[]) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(name ? `Unknown command: ${name}` : 'A command is missing')
  const { operand, options = [] } = command
  const config = Object.fromEntries(options.map((option) => [option, { type: 'string' } as const]))
  const { values, positionals } = parseArgs({ args, options: config, allowPositionals: true })
  const [first = '', ...rest] = positionals
  const word = first.trim()
  const status = MESSAGE_STATUSES.find((each) => each === values.status)
  const faults = {
    'Too many words': rest.length > 0 || (word && !operand) || (word && values.email),
    'An address is missing after --email': values.email?.trim() === '',
    'A reference is blank': first !== '' && word === '',
    '--format is jsonl or csv': name === 'export' && !/^(?:jsonl|csv)$/.test(String(values.format)),
    [`There is no status ${values.status}`]: values.status !== status,
    [`${operand} is missing`]: /^\w/.test(operand ?? '') && !word && !values.email,
  }
  const [fault] = Object.entries(faults).find(([, isWrong]) => isWrong) ?? []
  if (fault) throw new UsageError(fault)
  const reference = word.toUpperCase()
  return { command, given: { ...values, status, reference, file: word } }
}

interface CliDeps {
  /** `create` creates a missing inbox. */
  open: (create: boolean) => Opened
  write: (text: string) => unknown
  writeError: (text: string) => unknown
}

/** Runs a command. Resolves to the exit status. */
export async function runCli([name = '', ...args]: string[], deps: CliDeps): Promise<number> {
  let opened: Opened | undefined
  try {
    if ([name, ...args].includes('--help')) {
      await deps.write(USAGE)
      return 0
    }
    const { command, given } = parse(name, args)
    opened = deps.open(name === 'import' || name === 'restore')
    await deps.write(await command.run({ ...given, ...opened }))
    return 0
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException
    const isUsage = error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS')
    const isOutage = error instanceof StoreUnavailable
    const why = isOutage ? `The inbox is unavailable. ${explainUnavailable(error)}` : message
    await deps.writeError(isUsage ? `${why}\n\n${USAGE}` : `${why}\n`)
    if (isOutage && UNREADABLE.includes(error.reason)) return 3
    return isUsage ? 2 : 1
  } finally {
    await opened?.store.close()
  }
}

/** Pause for a reader that is slower than the command. */
const READER_MS = 5

/** Unlike Node's own stdout, fails when a full disk takes only part of a text. */
async function writeAll(file: 1 | 2, text: string): Promise<void> {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A reader that closes early, such as `head`, is no error.
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') throw error
      await wait(READER_MS)
    }
  }
}

if (import.meta.main) {
  // A backup must not take processor time from the site.
  if (process.argv[2] === 'backup') setPriority(constants.priority.PRIORITY_LOW)
  process.exitCode = await runCli(process.argv.slice(2), {
    open(create) {
      const { database, retention: periods, backup } = loadConfig(process.env)
      const warn = (_fields: object, text: string) => writeAll(2, `${text}\n`)
      const log = { info() {}, error() {}, warn }
      const store = createStore(database, { create, log, timeoutMs: TIMEOUT_MS })
      return { store, database, periods, backup }
    },
    write: (text) => writeAll(1, text),
    writeError: (text) => writeAll(2, text),
  })
}
