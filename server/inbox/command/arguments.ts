import { parseArgs } from 'node:util'
import { MESSAGE_STATUSES, type MessageStatus } from '../inbox.ts'
import { EXPORT_FORMATS } from './export-formats.ts'

export const USAGE = `Usage: npm run inbox -- COMMAND

  list [--status STATUS] [--all]    the newest 50 messages, or all
  show REFERENCE                    everything of one message; it counts as read then
  export --format jsonl|csv [--status STATUS]
                                    every message, oldest first
  import FILE.jsonl                 what export wrote; mails only what was still new
  release REFERENCE                 mails a message out of quarantine
  retry [REFERENCE]                 mails now what was given up or waits for its next try
  archive REFERENCE                 marks a message as dealt with; it is not mailed any more
  erase REFERENCE | --email ADDRESS erases a message, or all that an address has sent
  purge                             erases what is past RETENTION_DAYS or QUARANTINE_DAYS
  backup FILE                       a checked copy, while the site is running (SQLite)
  verify                            looks for damage, orphans and changed messages
  stats                             numbers

STATUS is one of ${MESSAGE_STATUSES.join(', ')}.
DATABASE_URL names the inbox (sqlite:./data/inbox.sqlite).
Exit status: 0 done, 1 failed or not found, 2 wrong usage.
`

type Format = keyof typeof EXPORT_FORMATS
const FORMATS = Object.keys(EXPORT_FORMATS) as Format[]

export type Command =
  | { name: 'help' }
  | { name: 'purge' | 'verify' | 'stats' }
  | { name: 'list'; status?: MessageStatus; all: boolean }
  | { name: 'export'; format: Format; status?: MessageStatus }
  | { name: 'show'; reference: string }
  | { name: 'release' | 'archive'; reference: string }
  | { name: 'retry'; reference?: string }
  | { name: 'erase'; reference: string }
  | { name: 'erase'; email: string }
  | { name: 'import' | 'backup'; file: string }

export class UsageError extends Error {
  override name = 'UsageError'
}

interface Shape {
  /** What stands after the name; `optional` says that it need not. */
  operand?: { name: string; optional?: boolean }
  options?: readonly ('status' | 'format' | 'all' | 'email')[]
}

const REFERENCE = { name: 'a reference' }
const SHAPES: Record<Exclude<Command['name'], 'help'>, Shape> = {
  list: { options: ['status', 'all'] },
  show: { operand: REFERENCE },
  export: { options: ['format', 'status'] },
  import: { operand: { name: 'a file' } },
  release: { operand: REFERENCE },
  retry: { operand: { ...REFERENCE, optional: true } },
  archive: { operand: REFERENCE },
  erase: { operand: { ...REFERENCE, optional: true }, options: ['email'] },
  purge: {},
  backup: { operand: { name: 'a file' } },
  verify: {},
  stats: {},
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
    all: { type: 'boolean' },
    email: { type: 'string' },
  } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(Error.isError(error) ? error.message : String(error))
  }
}

function checkShape(
  name: string,
  { operand, options = [] }: Shape,
  operands: string[],
  given: string[],
) {
  if (operands.length > (operand ? 1 : 0)) throw new UsageError('Too many words')
  if (operand && !operand.optional && !operands[0]) {
    throw new UsageError(`${name} takes ${operand.name}`)
  }
  const stray = given.find((option) => !(options as readonly string[]).includes(option))
  if (stray) throw new UsageError(`--${stray} does not belong to ${name}`)
}

/** Reads the words after `inbox --`; throws a UsageError that says what is wrong with them. */
export function parseCommand(args: string[]): Command {
  const { values, positionals } = parse(args)
  const { help, ...options } = values
  const [given, ...operands] = positionals
  if (help) return { name: 'help' }
  if (!given) throw new UsageError('A command is missing')
  if (!Object.hasOwn(SHAPES, given)) throw new UsageError(`Unknown command: ${given}`)
  const name = given as keyof typeof SHAPES
  checkShape(name, SHAPES[name], operands, Object.keys(options))
  const { format, all = false } = options
  const email = options.email?.trim()
  const status =
    options.status === undefined ? undefined : choose('--status', MESSAGE_STATUSES, options.status)
  const [operand = ''] = operands
  const reference = operand.trim().toUpperCase()
  switch (name) {
    case 'list':
      return { name, status, all }
    case 'export':
      return { name, format: choose('--format', FORMATS, format), status }
    case 'import':
    case 'backup':
      return { name, file: operand }
    case 'retry':
      return { name, reference: reference || undefined }
    case 'erase':
      if (Boolean(reference) === Boolean(email)) {
        throw new UsageError('erase takes either a reference or --email with an address')
      }
      return email ? { name, email } : { name, reference }
    case 'show':
    case 'release':
    case 'archive':
      return { name, reference }
    default:
      return { name }
  }
}
