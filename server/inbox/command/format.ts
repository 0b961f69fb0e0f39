import type { Attempt, Message } from '../inbox.ts'

/** Spells out the signs that could steer a terminal or turn the order of letters. */
export function disarm(text: string): string {
  return text.replace(/(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) =>
    sign === '\u200D' ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  )
}

/** One line of at most `width` characters, filled up with spaces. */
function toWidth(text: string, width: number): string {
  const signs = [...disarm(text).replace(/\s+/g, ' ').trim()]
  const shown = signs.length > width ? [...signs.slice(0, width - 1), '…'] : signs
  return shown.join('') + ' '.repeat(width - shown.length)
}

const TABLE: { title: string; width: number; getText: (message: Message) => string }[] = [
  { title: 'RECEIVED (UTC)', width: 16, getText: ({ receivedAt }) => receivedAt.slice(0, 16) },
  { title: 'REFERENCE', width: 14, getText: ({ reference }) => reference },
  { title: 'STATUS', width: 11, getText: ({ status }) => status },
  { title: 'NAME', width: 24, getText: ({ firstName, lastName }) => `${firstName} ${lastName}` },
  { title: 'E-MAIL', width: 30, getText: ({ email }) => email },
  { title: 'SERVICE', width: 13, getText: ({ service }) => service },
  { title: 'MESSAGE', width: 40, getText: ({ message }) => message },
]

function formatLine(getText: (column: (typeof TABLE)[number]) => string): string {
  return `${TABLE.map((column) => toWidth(getText(column), column.width))
    .join('  ')
    .trimEnd()}\n`
}

export const LIST_HEADER = formatLine(({ title }) => title)

export function formatListLine(message: Message): string {
  return formatLine(({ getText }) => getText(message))
}

/** Everything of one message; its text comes last and indented, so that it cannot pose as a field. */
export function formatMessage(message: Message, attempt?: Attempt): string {
  const fields: [string, string][] = [
    ['Reference', message.reference],
    ['Received', message.receivedAt],
    ['Status', message.status],
    ['Last try', attempt ? `${attempt.triedAt} ${attempt.outcome} ${attempt.detail}`.trim() : ''],
    ['First read', message.readAt ?? ''],
    ['Filled traps', message.trapped.join(', ')],
    ['First name', message.firstName],
    ['Last name', message.lastName],
    ['E-mail', message.email],
    ['Service', message.service],
    ['Language', message.language],
  ]
  const lines = fields
    .filter(([, value]) => value !== '')
    .map(([title, value]) => `${`${title}:`.padEnd(14)}${disarm(value).replace(/\s+/g, ' ')}`)
  const text = disarm(message.message).replace(/^/gm, '  ')
  return `${lines.join('\n')}\n\n${text}\n`
}
