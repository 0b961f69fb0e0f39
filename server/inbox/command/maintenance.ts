import { resolve } from 'node:path'
import {
  type CommandContext,
  CommandFailure,
  eventually,
  type Output,
  PIECE,
  soon,
} from './context.ts'

export async function* backup(
  { inbox, progress }: CommandContext,
  { file }: { file: string },
): Output {
  progress.show('Copying and checking')
  await inbox.backup(resolve(file), eventually())
  await inbox.audit('backup', '', soon())
  yield `The inbox is copied to ${file}, and the copy was checked.\n`
}

export async function* verify({ inbox, progress }: CommandContext): Output {
  progress.show('Looking at the store as a whole')
  const faults = await inbox.findFaults(eventually())
  let count = 0
  let after: string | undefined
  do {
    const { checked, broken } = await inbox.checkHashes({ limit: PIECE, after }, soon())
    faults.push(...broken.map((reference) => `${reference}: changed since it was kept`))
    count += checked.length
    progress.show(`${count} messages compared`)
    after = checked.at(-1)
  } while (after !== undefined)
  if (faults.length > 0) throw new CommandFailure(faults.join('\n'))
  yield `Messages verified: ${count}\nNothing is wrong with the inbox.\n`
}

const MEBIBYTE = 1024 * 1024

export async function* stats({ inbox }: CommandContext): Output {
  const { counts, rows, oldest, newest, bytes } = await inbox.stats(eventually())
  const { oldestDueAt } = await inbox.waiting(eventually())
  const due = oldestDueAt === undefined ? 'none' : new Date(oldestDueAt).toISOString()
  const lines: [string, string | number][] = [
    ...Object.entries(counts),
    ['oldest', oldest ?? 'none'],
    ['newest', newest ?? 'none'],
    ['next mail due', due],
    ...Object.entries(rows),
    ['size', `${(bytes / MEBIBYTE).toFixed(1)} MiB`],
  ]
  yield lines.map(([title, value]) => `${`${title}:`.padEnd(15)}${value}\n`).join('')
}
