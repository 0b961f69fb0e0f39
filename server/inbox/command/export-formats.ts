import type { Message } from '../inbox.ts'

const COLUMNS = [
  'reference',
  'receivedAt',
  'status',
  'firstName',
  'lastName',
  'email',
  'service',
  'message',
  'language',
] as const satisfies (keyof Message)[]

export interface ExportFormat {
  header: string
  formatRow(message: Message): string
}

// https://owasp.org/www-community/attacks/CSV_Injection
const DANGEROUS_START = /^[\t\r\n]/
/** Start of a cell, also for a spreadsheet with another separator; quotes may come first. */
const FORMULA_START = /(^|[,;\t\r\n])("*)(?=[=+\-@＝＋－＠])/g

/** One cell of RFC 4180; an apostrophe stands before whatever a spreadsheet would run. */
export function formatCell(text: string): string {
  const harmless = text.replace(FORMULA_START, "$1$2'").replace(DANGEROUS_START, "'$&")
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

function formatLine(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

// Without a byte order mark spreadsheets take UTF-8 for something older.
const BYTE_ORDER_MARK = '\uFEFF'

export const EXPORT_FORMATS: Record<'csv' | 'jsonl', ExportFormat> = {
  csv: {
    header: BYTE_ORDER_MARK + formatLine(COLUMNS),
    formatRow: (message) => formatLine(COLUMNS.map((column) => message[column])),
  },
  jsonl: {
    header: '',
    // With what `import` needs so that moving to another store loses nothing.
    formatRow: (message) => `${JSON.stringify(message, [...COLUMNS, 'trapped', 'readAt'])}\n`,
  },
}
