import { type Logger, pino } from 'pino'

export type { Logger }

interface LogOptions {
  level: string
  destination?: pino.DestinationStream
  /** Writes readable lines, with the messages of errors. In production, lines are JSON. */
  isDevelopment?: boolean
}

export function createLog({ level, destination, isDevelopment }: LogOptions): Logger {
  const options = {
    level,
    base: undefined,
    serializers: { err: isDevelopment ? quoteError : describeError },
    ...(isDevelopment && {
      transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } },
    }),
  }
  return destination ? pino(options, destination) : pino(options)
}

/** For a developer; the overlay in the browser has the rest. */
const quoteError = ({ name, message, stack }: Error) => ({ type: name, message, stack })

const FRAME = /^ +at .*(?::\d+:\d+\)?|\((?:native|<anonymous>)\))$/

/** The lines of a stack without the message, which may quote a visitor's input. */
function findFrames({ message, stack = '' }: Error): string[] {
  const start = message && stack.includes(message) ? stack.indexOf(message) + message.length : 0
  return stack
    .slice(start)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim())
}

/** Omits the message, which may quote a visitor's input. `code` and `reason` are fixed words of a program. */
export function describeError(error: unknown): object {
  if (!Error.isError(error)) return { type: typeof error }
  const { name, cause } = error
  const { code, reason } = error as NodeJS.ErrnoException & { reason?: string }
  return {
    type: /^\w+$/.test(name) ? name : 'Error',
    ...(/^\w+$/.test(String(code ?? '')) && { code }),
    ...(/^[a-z-]+$/.test(String(reason ?? '')) && { reason }),
    frames: findFrames(error),
    ...(Error.isError(cause) && { cause: describeError(cause) }),
  }
}
