/** Ours, whose messages are made of fixed words. */
const FIXED_WORDS = ['InboxUnavailable', 'Refusal']

const FRAME = /^ +at .*(?::\d+:\d+\)?|\((?:native|<anonymous>)\))$/

export interface ErrorDescription {
  type: string
  message?: string
  code?: string | number
  frames?: string[]
  cause?: ErrorDescription
}

/** Where an error comes from, without its message, which may quote what a visitor wrote. */
function findFrames({ message, stack = '' }: Error): string[] {
  const frames = stack.slice(
    message && stack.includes(message) ? stack.indexOf(message) + message.length : 0,
  )
  return frames
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim())
}

/**
 * What the log says of an error: its kind and where it was thrown. Messages are left out, save those
 * of fixed words: libraries quote what they could not read, and a database the row it refused.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!Error.isError(error)) return { type: typeof error }
  const { name, message, cause } = error
  const { code } = error as NodeJS.ErrnoException
  return {
    type: /^\w+$/.test(name) ? name : 'Error',
    ...(FIXED_WORDS.includes(name) && { message }),
    ...(/^\w+$/.test(String(code ?? '')) && { code }),
    frames: findFrames(error),
    ...(Error.isError(cause) && { cause: describeError(cause) }),
  }
}
