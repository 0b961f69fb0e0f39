import { TYPED_FIELDS } from '../../../shared/contact-fields.ts'
import { fill } from '../../../shared/format.ts'
import { formatMoment } from '../clock.ts'
import type { Attempt, Message } from '../inbox.ts'
import { getServiceName } from '../message.ts'
import type { Words } from './words.ts'

/** Escapes characters that could control a terminal or reorder text. */
export function escapeControls(text: string): string {
  return text.replace(/(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\u200D' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** Cuts or pads a text to one line of exactly `width` characters. */
function toWidth(text: string, width: number): string {
  const characters = [...escapeControls(text).replace(/\s+/g, ' ').trim()]
  const shown = characters.length > width ? [...characters.slice(0, width - 1), '…'] : characters
  return shown.join('') + ' '.repeat(width - shown.length)
}

const WIDTHS = [23, 14, 11, 24, 30, 20, 40]

function formatLine(cells: string[]): string {
  return `${cells
    .map((cell, index) => toWidth(cell, WIDTHS[index] ?? 0))
    .join('  ')
    .trimEnd()}\n`
}

export function formatListHeader({ fields, timeZone }: Words): string {
  const { receivedAt, reference, status, name, email, service, message } = fields
  const titles = [`${receivedAt} (${timeZone})`, reference, status, name, email, service, message]
  return formatLine(titles.map((title) => title.toUpperCase()))
}

export function formatListLine(message: Message, words: Words): string {
  return formatLine([
    formatMoment(message.receivedAt),
    message.reference,
    words.statuses[message.status],
    `${message.firstName} ${message.lastName}`,
    message.email,
    getServiceName(words.services, message),
    message.message,
  ])
}

function formatTime(time: string | number, { timeZone }: Words): string {
  return `${formatMoment(time)} (${timeZone})`
}

export function formatEntry(title: string, value: string | number, { colon }: Words): string {
  return `${title}${colon} ${value}`
}

export function formatFileError(subject: string, code: string, words: Words): string {
  const texts: Record<string, string> = words.fileErrors
  return `${subject} ${texts[code] ?? fill(words.unusable, { code })}`
}

/** `title: value` lines with aligned values; rows without a value are left out. */
export function formatRows(
  rows: readonly (readonly [title: string, value: string | number])[],
  { colon }: Words,
): string {
  const width = Math.max(...rows.map(([title]) => title.length)) + colon.length + 1
  return rows
    .filter(([, value]) => value !== '')
    .map(([title, value]) => {
      const text = escapeControls(String(value)).replace(/\s+/g, ' ')
      return `${`${title}${colon}`.padEnd(width)}${text}\n`
    })
    .join('')
}

/** All fields of a message. Its text is last and indented, so that it cannot imitate a field. */
export function formatMessage(message: Message, attempt: Attempt | undefined, words: Words) {
  const { fields, statuses, outcomes, services, languages } = words
  const shown = { ...message, service: getServiceName(services, message) }
  const typed = TYPED_FIELDS.filter((name) => name !== 'message')
  const lastTry =
    attempt &&
    `${formatTime(attempt.tried_at, words)} ${outcomes[attempt.outcome]} ${attempt.detail}`
  const rows = formatRows(
    [
      [fields.reference, message.reference],
      [fields.receivedAt, formatTime(message.receivedAt, words)],
      [fields.status, statuses[message.status]],
      [fields.lastTry, lastTry?.trim() ?? ''],
      [fields.trapped, message.trapped.join(', ')],
      ...typed.map((name) => [fields[name], shown[name]] as const),
      [fields.language, languages[message.language]],
    ],
    words,
  )
  return `${rows}\n${escapeControls(message.message).replace(/^/gm, '  ')}\n`
}
