import { formatMoment, HOUR_MS } from '../clock.ts'
import { eraseMessages, purge, removeTraces } from '../erase.ts'
import { writeErasedList } from '../erased-list.ts'
import { measure } from '../measure.ts'
import { findLastAttempt, findMessage, listMessages } from '../messages.ts'
import { archive, release, retry } from '../triage.ts'
import { backUp } from './backup.ts'
import { exportMessages } from './export.ts'
import type { Given } from './given.ts'
import { importFile } from './import.ts'
import { restore } from './restore.ts'
import { verify } from './verify.ts'

interface Command {
  /** Resolves to the text for standard output; rejects with the text for standard error. */
  run(given: Given): Promise<string>
  /** In brackets if it may be left out. */
  operand?: 'REFERENCE' | '[REFERENCE]' | 'FILE'
  options?: readonly ('email' | 'status' | 'format' | 'separator')[]
}

export const COMMANDS: Record<string, Command> = {
  list: { run: list, options: ['email'] },
  show: { run: show, operand: 'REFERENCE' },
  export: { run: exportMessages, options: ['format', 'status', 'email', 'separator'] },
  import: { run: importFile, operand: 'FILE' },
  release: { run: releaseMessage, operand: 'REFERENCE' },
  retry: { run: retryMessages, operand: '[REFERENCE]' },
  archive: { run: archiveMessage, operand: 'REFERENCE' },
  erase: { run: erase, operand: 'REFERENCE', options: ['email'] },
  purge: { run: purgeMessages },
  backup: { run: backUp, operand: 'FILE' },
  restore: { run: restore, operand: 'FILE' },
  verify: { run: verify },
  stats: { run: stats },
}

const LIST_LENGTH = 50
const REMAINDER = 'Older backups and exports, and mail that was sent, still hold the text.\n'

/** Characters that could control a terminal or reorder text; not those that join letters or make the flag of a region. */
const CONTROLS = /(?![\t\n\p{Join_Control}\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escapeControls = (text: string) =>
  text.replace(CONTROLS, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

const escapeLine = (text: string) => escapeControls(text).replace(/\s+/g, ' ')

const fail = (reference: string) => new Error(`${escapeLine(reference)}: there is no such message`)

async function list({ store, email }: Given): Promise<string> {
  const messages = await listMessages(store, { email })
  const lines = messages.map(({ receivedAt, reference, status, firstName, lastName, email }) => {
    const sender = escapeLine(`${firstName} ${lastName} <${email}>`)
    return `${formatMoment(receivedAt)}  ${reference}  ${status.padEnd(11)}  ${sender}\n`
  })
  const older = lines.length - LIST_LENGTH
  const newest = lines.reverse().slice(0, LIST_LENGTH).join('')
  return older > 0 ? `${newest}${older} older ones: export writes them\n` : newest
}

async function show({ store, reference }: Given): Promise<string> {
  const found = await findMessage(store, reference)
  if (!found) throw fail(reference)
  const { message, trapped, receivedAt, ...fields } = found
  const attempt = await findLastAttempt(store, reference)
  const rows = {
    ...fields,
    received: `${formatMoment(receivedAt)} (Toronto time)`,
    traps: trapped.join(', '),
    'last try':
      attempt && `${formatMoment(attempt.tried_at)} ${attempt.outcome}: ${attempt.detail}`,
  }
  const lines = Object.entries(rows).map(([name, value = '']) => `${name}: ${escapeLine(value)}\n`)
  // Indented, so that the visitor's text cannot imitate a field.
  return `${lines.join('')}\n${escapeControls(message).replace(/^/gm, '  ')}\n`
}

async function releaseMessage({ store, reference }: Given): Promise<string> {
  if (await release(store, reference)) return `${reference} is released, and will be mailed\n`
  throw new Error(`${escapeLine(reference)} is not in quarantine`)
}

async function retryMessages({ store, reference }: Given): Promise<string> {
  const count = await retry(store, reference)
  if (count > 0 || !reference) return `Messages queued again: ${count}\n`
  throw new Error(
    `${escapeLine(reference)} does not wait to be mailed, or is being mailed just now`,
  )
}

async function archiveMessage({ store, reference }: Given): Promise<string> {
  if (await archive(store, reference)) return `${reference} is archived\n`
  throw fail(reference)
}

async function finishErasure({ store, backup }: Given): Promise<void> {
  await writeErasedList(store, backup.folder)
  await removeTraces(store)
}

async function erase(given: Given): Promise<string> {
  const { store, reference, email } = given
  const count = await eraseMessages(store, { reference, email })
  // Even if nothing was erased now: an earlier run may have been interrupted before this.
  await finishErasure(given)
  if (count > 0) return `Messages erased: ${count}\n${REMAINDER}`
  throw fail(email ?? reference)
}

async function purgeMessages(given: Given): Promise<string> {
  const { erased, waiting } = await purge(given.store, given.periods)
  await finishErasure(given)
  const waits = `Expired messages that a purge in a day will erase: ${waiting}\n`
  return `Messages erased: ${erased}\n${waits}${REMAINDER}`
}

async function stats({ store }: Given): Promise<string> {
  const { messages, errors } = await measure(store)
  const waiting = messages.find(({ status }) => status === 'new')?.oldestAgeMs ?? 0
  return [
    ...messages.map(({ status, count }) => `${`${status}:`.padEnd(13)}${count}\n`),
    `hours that the oldest new message waits: ${Math.floor(waiting / HOUR_MS)}\n`,
    ...errors.map(({ day, place, number }) => `errors of ${place} on ${day}: ${number}\n`),
  ].join('')
}
