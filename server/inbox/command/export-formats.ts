import { TYPED_FIELDS } from '../../../shared/contact-fields.ts'
import type { Message } from '../inbox.ts'

const COLUMNS = [
  'reference',
  'receivedAt',
  'status',
  ...TYPED_FIELDS,
  'language',
] as const satisfies (keyof Message)[]

// https://owasp.org/www-community/attacks/CSV_Injection
const DANGEROUS_START = /^[\t\r\n]/
/** A formula can also start after a separator, even behind quotes. */
const FORMULA_START = /(^|[,;\t\r\n])("*)(?=[=+\-@＝＋－＠])/g

/** A CSV cell (RFC 4180). An apostrophe keeps spreadsheets from running the text as a formula. */
export function formatCell(text: string): string {
  const harmless = text.replace(FORMULA_START, "$1$2'").replace(DANGEROUS_START, "'$&")
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

function formatLine(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

// Excel needs the byte order mark to read the file as UTF-8.
const BYTE_ORDER_MARK = '\uFEFF'

export const EXPORT_FORMATS = {
  csv: {
    header: BYTE_ORDER_MARK + formatLine(COLUMNS),
    formatRow: (message: Message) => formatLine(COLUMNS.map((column) => message[column])),
  },
  jsonl: {
    header: '',
    // Includes `trapped`, so that an import restores every field of the message.
    formatRow: (message: Message) => `${JSON.stringify(message, [...COLUMNS, 'trapped'])}\n`,
  },
}
