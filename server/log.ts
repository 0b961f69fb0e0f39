import type { Response } from 'express'
import { type Logger, pino } from 'pino'
import { describeError } from './error-serializer.ts'

export type { Logger }

/** Of lines that wait for a slow reader; further lines are dropped. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024

/** `base` is added to each line. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = createOutput(),
  base?: Record<string, number>,
): Logger {
  return pino({ level, base, serializers: { err: describeError } }, destination)
}

/** Asynchronous standard output: lines are buffered during a write, so that logging never blocks a request. */
function createOutput(): pino.DestinationStream {
  const output = pino.destination({ sync: false, maxLength: MAX_UNWRITTEN_BYTES })
  const { flushSync } = output
  // On a full disk the last flush would retry for ever, and the process would not end.
  output.on('error', () => Object.assign(output, { flushSync: () => {} }))
  output.on('drain', () => Object.assign(output, { flushSync }))
  return output
}

/** Logger whose lines have the id of the request. */
export function getRequestLog(res: Response): Logger {
  return res.locals.log.child({ requestId: res.locals.requestId })
}
