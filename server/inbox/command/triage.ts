import { type CommandContext, CommandFailure, type Output, PIECE, soon } from './context.ts'
import { disarm } from './format.ts'

interface Named {
  reference: string
}

const refuseUnknown = (reference: string) => {
  throw new CommandFailure(`There is no message ${disarm(reference)}.`)
}

export async function* release({ inbox }: CommandContext, { reference }: Named): Output {
  const result = await inbox.release(reference, soon())
  if (result === 'unknown') refuseUnknown(reference)
  if (result === 'not-quarantined') {
    throw new CommandFailure(`${disarm(reference)} is not in quarantine.`)
  }
  await inbox.audit('release', reference, soon())
  yield `${reference} is released and will be mailed.\n`
}

export async function* archive({ inbox }: CommandContext, { reference }: Named): Output {
  if ((await inbox.archive(reference, soon())) === 'unknown') refuseUnknown(reference)
  await inbox.audit('archive', reference, soon())
  yield `${reference} is archived.\n`
}

export async function* retry(
  { inbox, progress }: CommandContext,
  { reference }: Partial<Named>,
): Output {
  if (reference === undefined) {
    let count = 0
    let piece: number
    do {
      piece = await inbox.retrySome(PIECE, soon())
      count += piece
      progress.show(`${count} messages queued`)
    } while (piece > 0)
    await inbox.audit('retry', `${count} messages`, soon())
    yield `Messages that will be mailed now: ${count}\n`
    return
  }
  const result = await inbox.retry(reference, soon())
  if (result === 'unknown') refuseUnknown(reference)
  if (result === 'not-waiting') {
    throw new CommandFailure(`${disarm(reference)} is being mailed, or does not wait to be.`)
  }
  await inbox.audit('retry', reference, soon())
  yield `${reference} will be mailed now.\n`
}
