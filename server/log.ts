import { type Logger, pino } from 'pino'

export type { Logger }

/** Size of the buffer for a slow reader of the log. Lines that do not fit are dropped. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024

export function createLog(
  level: string,
  destination: pino.DestinationStream = createOutput(),
): Logger {
  return pino({ level, base: undefined, serializers: { err: describeError } }, destination)
}

/** Asynchronous standard output: lines are buffered during a write, so that logging never blocks a request. */
function createOutput(): pino.DestinationStream {
  const output = pino.destination({ sync: false, maxLength: MAX_UNWRITTEN_BYTES })
  // Without a listener, a failed write, as on a full disk, would end the process. The next line tries again.
  output.on('error', () => {})
  return Object.assign(output, {
    /** Calls back once every line is written, or a write failed. pino's own flush does not wait for a write. */
    flush(done: () => void) {
      output.once('drain', done).once('error', done)
      output.write('')
    },
    // pino calls this after each fatal line. The original would block the process while nobody reads the log.
    flushSync() {},
  })
}

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
