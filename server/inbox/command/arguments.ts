import { parseArgs } from 'node:util'
import { fill } from '../../../shared/format.ts'
import { findLanguage, LANGUAGES, type Language } from '../../../shared/language.ts'
import { MESSAGE_STATUSES } from '../message.ts'
import { EXPORT_FORMATS } from './export-formats.ts'
import type { Words } from './words.ts'

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  lang: { type: 'string' },
  format: { type: 'string' },
  status: { type: 'string' },
  email: { type: 'string' },
} as const
type Option = keyof typeof OPTIONS

export interface Syntax {
  operand?: 'reference' | 'file'
  /** Allows the command without its operand: alone, or with --email. */
  operandOr?: 'nothing' | 'email'
  options?: readonly Option[]
}

const FORMATS = Object.keys(EXPORT_FORMATS) as (keyof typeof EXPORT_FORMATS)[]

export type Arguments = NonNullable<ReturnType<typeof parseCommand>>['given']

export class UsageError extends Error {
  override name = 'UsageError'
}

/** An option whose value was forgotten gets an empty one: it must not swallow the next option, such as --lang. */
function read(args: string[]) {
  const isForgotten = (arg: string, next = '') =>
    /^--(?!help$)\w+$/.test(arg) && next.startsWith('-')
  return parseArgs({
    args: args.map((arg, index) => (isForgotten(arg, args[index + 1]) ? `${arg}=` : arg)),
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
}

/** Language of the output: --lang, otherwise that of the locale, otherwise English. */
export function chooseCommandLanguage(args: string[], env: NodeJS.ProcessEnv): Language {
  const { lang } = read(args).values
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return findLanguage(lang) ?? findLanguage(locale.slice(0, 2).toLowerCase()) ?? 'en'
}

/** Finds the command and its arguments; undefined when help is asked for. Throws UsageError. */
export function parseCommand<Command extends Syntax>(
  args: string[],
  commands: Record<string, Command>,
  words: Words,
) {
  const { values, positionals, tokens } = read(args)
  const [name, operand = '', ...rest] = positionals

  function choose<Choice extends string>(option: Option, choices: readonly Choice[]): Choice {
    const choice = choices.find((each) => each === values[option])
    if (choice) return choice
    const given = { option: `--${option}`, choices: choices.join(', ') }
    throw new UsageError(fill(words.notOneOf, given))
  }

  if (values.lang !== undefined) choose('lang', LANGUAGES)
  if (values.help) return undefined
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  const repeated = names.find((option, index) => names.indexOf(option) !== index)
  if (repeated) throw new UsageError(fill(words.repeatedOption, { option: `--${repeated}` }))
  if (!name) throw new UsageError(words.commandMissing)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(fill(words.unknownCommand, { name }))
  const { operand: kind, operandOr, options = [] } = command
  const known: string[] = ['lang', ...options]
  const unknown = Object.keys(values).find((option) => !known.includes(option))
  if (unknown) {
    throw new UsageError(fill(words.wrongOption, { option: `--${unknown}`, command: name }))
  }
  if (rest.length > 0 || (operand && !kind)) throw new UsageError(words.tooManyWords)
  if (kind && !operandOr && !operand) throw new UsageError(words.needsOperand[kind])
  const email = typeof values.email === 'boolean' ? '' : values.email?.trim()
  if (email === '') throw new UsageError(words.addressMissing)
  const hasBothOrNone = Boolean(operand) === Boolean(email)
  if (operandOr === 'email' && hasBothOrNone) throw new UsageError(words.eraseNeedsOne)
  const given = {
    /** A reference or a file; empty if the command line has neither. */
    operand: kind === 'reference' ? operand.trim().toUpperCase() : operand,
    email,
    status: values.status === undefined ? undefined : choose('status', MESSAGE_STATUSES),
    format: options.includes('format') ? choose('format', FORMATS) : 'jsonl',
  }
  return { command, given }
}
