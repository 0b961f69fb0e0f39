import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createCli } from '../../../server/inbox/cli.ts'
import type { NewMessage } from '../../../server/inbox/inbox.ts'
import { createMessage, NOON, PERIODS } from '../../support/inbox.ts'
import type { Place } from './places.ts'

interface RunOptions {
  /** Makes standard error look like a terminal. */
  terminal?: boolean
  now?: () => number
  hasMail?: boolean
  env?: NodeJS.ProcessEnv
}

export async function runCommand(
  place: Place,
  args: string[],
  { terminal = false, now = () => NOON, hasMail = true, env = {} }: RunOptions = {},
) {
  const stdout = new PassThrough()
  const stderr = Object.assign(new PassThrough(), { isTTY: terminal })
  const openInbox = ({ create }: { create: boolean }) => ({
    inbox: place.open({ create, now }),
    periods: PERIODS,
    hasMail,
  })
  const output = Promise.all([buffer(stdout), buffer(stderr)])
  const status = await createCli({ openInbox, env, stdout, stderr })(args)
  stdout.end()
  stderr.end()
  const [out, err] = await output
  return { status, out: String(out), err: String(err) }
}

/** Stores messages from NOON on, one each millisecond; resolves to their references. */
export async function keepMessages(
  place: Place,
  changes: Partial<NewMessage>[],
): Promise<string[]> {
  let time = NOON
  const inbox = place.open({ now: () => time })
  const references: string[] = []
  for (const [index, change] of changes.entries()) {
    const message = createMessage({ message: `Message ${index}`, ...change })
    references.push((await inbox.keep(message)).reference)
    time += 1
  }
  await inbox.close()
  return references
}
