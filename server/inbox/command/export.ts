import { TYPED_FIELDS } from '../../../shared/contact-fields.ts'
import type { Message } from '../message.ts'
import { type ListQuery, listMessages } from '../messages.ts'
import type { Store } from '../store.ts'

const COLUMNS = [
  'reference',
  'receivedAt',
  'status',
  ...TYPED_FIELDS,
  'language',
  'trapped',
] as const satisfies (keyof Message)[]

// https://owasp.org/www-community/attacks/CSV_Injection A formula can also start after a separator, quotes and blanks.
const FORMULA_START =
  /(?<=^|[,;\t\r\n])(?="*[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*"*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu

/** A cell that opens in Excel as it is. An apostrophe keeps spreadsheets from running the text as a formula. */
export function formatCell(text: string): string {
  const harmless = text.replace(FORMULA_START, "'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

// Excel needs the byte order mark to read the file as UTF-8.
const BYTE_ORDER_MARK = '\uFEFF'

export function formatCsv(messages: readonly Message[], separator: string): string {
  const lines = [
    COLUMNS,
    ...messages.map((message) => COLUMNS.map((name) => String(message[name]))),
  ]
  const format = (cells: readonly string[]) => `${cells.map(formatCell).join(separator)}\r\n`
  return BYTE_ORDER_MARK + lines.map(format).join('')
}

/** Excel's list separator is a semicolon where the decimal sign is a comma. */
function getSeparator(): string {
  const { LC_ALL, LC_NUMERIC, LANG } = process.env
  return /^fr/i.test(LC_ALL || LC_NUMERIC || LANG || '') ? ';' : ','
}

interface ExportOptions extends ListQuery {
  store: Store
  format?: string
  separator?: string
}

export async function exportMessages(given: ExportOptions): Promise<string> {
  const { store, format, separator = getSeparator() } = given
  if (!/^[,;\t]$/.test(separator)) throw new Error('--separator is a comma, a semicolon or a tab')
  const messages = await listMessages(store, given)
  if (format === 'csv') return formatCsv(messages, separator)
  return messages.map((message) => `${JSON.stringify(message, [...COLUMNS])}\n`).join('')
}
