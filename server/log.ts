import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/** Lines that wait for a reader that is slow or stalled. */
const MAX_WAITING_BYTES = 1024 * 1024

interface LogOptions {
  level: string
  destination: DestinationStream
  /** Writes the messages of errors too. */
  isDevelopment?: boolean
}

export function createLog({ level, destination, isDevelopment }: LogOptions): Logger {
  const err = isDevelopment ? quoteError : describeError
  return pino({ level, base: undefined, serializers: { err } }, destination)
}

/**
 * Lines of JSON on standard output, readable ones in development. If a full disk or a closed terminal refuses a line, the line is
 * lost. pino's own destination tries such a line again for ever when the process ends.
 */
export async function openStandardOutput(isDevelopment: boolean): Promise<DestinationStream> {
  const output = process.stdout.on('error', () => {})
  // The container image lacks pino-pretty.
  const pretty = isDevelopment ? (await import('pino-pretty')).prettyFactory : undefined
  const format = pretty?.({ colorize: output.isTTY, ignore: 'pid,hostname', singleLine: true })
  return {
    write(line) {
      if (output.writableLength < MAX_WAITING_BYTES) output.write(format?.(line) ?? line)
    },
  }
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
function describeError(error: unknown): object {
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
