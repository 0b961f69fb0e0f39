import { parseArgs } from 'node:util'
import { EXPORT_FORMATS } from './export-formats.ts'
import { MESSAGE_STATUSES, type MessageStatus } from './inbox.ts'

export const USAGE = `Usage: npm run inbox -- COMMAND

  list [--status STATUS]                          the messages, newest first
  show REFERENCE                                  everything of one message
  export --format jsonl|csv [--status STATUS]     every message, oldest first

STATUS is ${MESSAGE_STATUSES.join(' or ')}. DATABASE_URL names the inbox (sqlite:./data/inbox.sqlite).
Exit status: 0 done, 1 failed or not found, 2 wrong usage.
`

export type Command =
  | { name: 'help' }
  | { name: 'list'; status?: MessageStatus }
  | { name: 'show'; reference: string }
  | { name: 'export'; format: keyof typeof EXPORT_FORMATS; status?: MessageStatus }

export class UsageError extends Error {
  override name = 'UsageError'
}

function choose<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  value: string | undefined,
): Choice {
  const choice = choices.find((candidate) => candidate === value)
  if (!choice) throw new UsageError(`${name} must be one of: ${choices.join(', ')}`)
  return choice
}

function parse(args: string[]) {
  const options = {
    help: { type: 'boolean', short: 'h' },
    format: { type: 'string' },
    status: { type: 'string' },
  } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(Error.isError(error) ? error.message : String(error))
  }
}

/** Reads the words after `inbox --`; throws a UsageError that says what is wrong with them. */
export function parseCommand(args: string[]): Command {
  const { values, positionals } = parse(args)
  const [name, ...operands] = positionals
  if (values.help) return { name: 'help' }
  const expectedOperands = name === 'show' ? 1 : 0
  if (operands.length !== expectedOperands) {
    throw new UsageError(name === 'show' ? 'show takes one reference' : 'Too many words')
  }
  if (values.format !== undefined && name !== 'export') {
    throw new UsageError('--format belongs to export')
  }
  const status =
    values.status === undefined ? undefined : choose('--status', MESSAGE_STATUSES, values.status)
  const formats = Object.keys(EXPORT_FORMATS) as (keyof typeof EXPORT_FORMATS)[]
  switch (name) {
    case 'list':
      return { name, status }
    case 'show':
      if (status) throw new UsageError('--status belongs to list and export')
      return { name, reference: (operands[0] as string).trim().toUpperCase() }
    case 'export':
      return { name, format: choose('--format', formats, values.format), status }
    default:
      throw new UsageError(name ? `Unknown command: ${name}` : 'A command is missing')
  }
}
