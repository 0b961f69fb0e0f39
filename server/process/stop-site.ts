import type { Server } from 'node:http'
import type { Inbox } from '../inbox/inbox.ts'
import type { Logger } from '../log.ts'
import type { Mailing } from '../mail/mail-service.ts'
import { DRAIN_PACE, type DrainPace, drain } from './drain.ts'

/** Durations in ms. */
export interface StopPace {
  drain: DrainPace
  /** How long mails that are being sent may take once requests are answered. */
  mailMs: number
  /** How long all of a stop may take: less than the 24 s after which the process is ended. */
  wholeMs: number
}

export const STOP_PACE: StopPace = { drain: DRAIN_PACE, mailMs: 3000, wholeMs: 23_500 }

interface StopSiteParts {
  servers: Server[]
  mailing?: Pick<Mailing, 'stop'>
  inbox: Pick<Inbox, 'close'>
  /** Closes what is left. */
  close: () => Promise<void>
  log: Logger
}

/**
 * Answers requests in flight, stops mailing, and closes the inbox, in this order and within one budget. The stop
 * does not wait longer: an acknowledged message is kept, and a mail whose outcome was not noted goes again.
 */
export async function stopSite(parts: StopSiteParts, pace: StopPace = STOP_PACE): Promise<true> {
  const { servers, mailing, inbox, close, log } = parts
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    log.warn(
      'shutdown timed out: a request, the mail server or the inbox hangs; nothing acknowledged is lost',
    )
    late.resolve()
  }, pace.wholeMs)
  async function stopInOrder(): Promise<void> {
    await drain(servers, pace.drain)
    await mailing?.stop(pace.mailMs)
    await inbox.close()
    await close()
  }
  await Promise.race([stopInOrder(), late.promise])
  clearTimeout(timer)
  return true
}
