import { parseArgs } from 'node:util'
import { LANGUAGES, type Language } from '../../../shared/language.ts'
import { MESSAGE_STATUSES } from '../inbox.ts'
import type { Words } from './en.ts'
import { EXPORT_FORMATS } from './export-formats.ts'

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  lang: { type: 'string' },
  format: { type: 'string' },
  status: { type: 'string' },
  all: { type: 'boolean' },
  email: { type: 'string' },
} as const
type Option = keyof typeof OPTIONS

interface Shape {
  operand?: 'reference' | 'file'
  isOptional?: boolean
  options?: readonly Option[]
}

const SHAPES = {
  list: { options: ['status', 'all'] },
  show: { operand: 'reference' },
  export: { options: ['format', 'status'] },
  import: { operand: 'file' },
  release: { operand: 'reference' },
  retry: { operand: 'reference', isOptional: true },
  archive: { operand: 'reference' },
  erase: { operand: 'reference', isOptional: true, options: ['email'] },
  purge: {},
  backup: { operand: 'file' },
  verify: {},
  stats: {},
} satisfies Record<string, Shape>
export type CommandName = keyof typeof SHAPES

export type Command = NonNullable<ReturnType<typeof parseCommand>>

export class UsageError extends Error {
  override name = 'UsageError'
}

const FORMATS = Object.keys(EXPORT_FORMATS) as (keyof typeof EXPORT_FORMATS)[]

const read = (args: string[]) =>
  parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: false, tokens: true })

/** Language of the output: --lang, else that of the locale. */
export function chooseCommandLanguage(args: string[], env: NodeJS.ProcessEnv): Language {
  const { lang } = read(args).values
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return LANGUAGES.find((language) => language === lang) ?? (/^fr/i.test(locale) ? 'fr' : 'en')
}

/** Checks the options itself, because parseArgs has errors in English only. */
function readOptions({ tokens }: ReturnType<typeof read>, words: Words): Map<string, string> {
  const options = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const type = Object.entries(OPTIONS).find(([option]) => option === name)?.[1].type
    if (!type) throw new UsageError(words.unknownOption(rawName))
    if (type === 'string' && value === undefined) throw new UsageError(words.needsValue(rawName))
    if (type === 'boolean' && value !== undefined) throw new UsageError(words.takesNoValue(rawName))
    options.set(name, value ?? '')
  }
  return options
}

/** Parses the arguments of the command; undefined when help is asked for. Throws UsageError. */
export function parseCommand(args: string[], words: Words) {
  const parsed = read(args)
  const options = readOptions(parsed, words)
  const [given, ...operands] = parsed.positionals

  function choose<Choice extends string>(option: Option, choices: readonly Choice[]): Choice {
    const choice = choices.find((each) => each === options.get(option))
    if (!choice) throw new UsageError(words.notOneOf(`--${option}`, choices.join(', ')))
    return choice
  }

  if (options.has('lang')) choose('lang', LANGUAGES)
  if (options.has('help')) return undefined
  if (!given) throw new UsageError(words.commandMissing)
  if (!isCommandName(given)) throw new UsageError(words.unknownCommand(given))
  const { operand: kind, isOptional = false, options: allowed = [] }: Shape = SHAPES[given]
  const [operand = ''] = operands
  if (operands.length > (kind ? 1 : 0)) throw new UsageError(words.tooManyWords)
  if (kind && !isOptional && !operand) throw new UsageError(words.needsOperand[kind])
  const known: string[] = ['lang', ...allowed]
  const wrong = [...options.keys()].find((option) => !known.includes(option))
  if (wrong) throw new UsageError(words.wrongOption(`--${wrong}`, given))
  const command = {
    name: given,
    /** A reference or a file; empty when it is optional and missing. */
    operand: kind === 'reference' ? operand.trim().toUpperCase() : operand,
    email: options.get('email')?.trim() ?? '',
    status: options.has('status') ? choose('status', MESSAGE_STATUSES) : undefined,
    /** Only `export` has a format. */
    format: given === 'export' ? choose('format', FORMATS) : 'jsonl',
    all: options.has('all'),
  }
  if (given === 'erase' && Boolean(command.operand) === Boolean(command.email)) {
    throw new UsageError(words.eraseNeedsOne)
  }
  return command
}

const isCommandName = (name: string): name is CommandName => Object.hasOwn(SHAPES, name)
