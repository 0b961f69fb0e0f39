/** Our own errors, whose messages are fixed words. */
const FIXED_MESSAGES = ['InboxUnavailable', 'Refusal']

const FRAME = /^ +at .*(?::\d+:\d+\)?|\((?:native|<anonymous>)\))$/

interface ErrorDescription {
  type: string
  message?: string
  code?: string | number
  frames?: string[]
  cause?: ErrorDescription
}

/** The lines of a stack without the message, which may quote a visitor's input. */
function findFrames({ message, stack = '' }: Error): string[] {
  const start = message && stack.includes(message) ? stack.indexOf(message) + message.length : 0
  return stack
    .slice(start)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim())
}

/**
 * Describes an error for the log by its type and its place. Other messages are left out: libraries quote the
 * input that they could not read, and a database the row that it refused.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!Error.isError(error)) return { type: typeof error }
  const { name, message, cause } = error
  const { code } = error as NodeJS.ErrnoException
  return {
    type: /^\w+$/.test(name) ? name : 'Error',
    ...(FIXED_MESSAGES.includes(name) && { message }),
    ...(/^\w+$/.test(String(code ?? '')) && { code }),
    frames: findFrames(error),
    ...(Error.isError(cause) && { cause: describeError(cause) }),
  }
}
