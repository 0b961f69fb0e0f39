import type { Request, Response } from 'express'
import { rateLimit } from 'express-rate-limit'
import type { ContactLimit } from '../../shared/contact-limit.ts'
import { Refusal } from '../errors.ts'
import type { Inbox, NewMessage, Receipt } from '../inbox/inbox.ts'
import { InboxUnavailable } from '../inbox/inbox-errors.ts'
import { getAddressKey } from '../requests/address.ts'

const STORE_RETRY_SECONDS = 30

/**
 * The returned function stores a message within the limit of its sender. Rejects with a Refusal if the limit is exceeded
 * or the inbox is unavailable. `deadline` is in epoch ms.
 */
export function createStoreMessage(inbox: Inbox, { count: limit, windowMinutes }: ContactLimit) {
  const windowMs = windowMinutes * 60_000

  return async (
    req: Request,
    res: Response,
    message: Omit<NewMessage, 'address'>,
    deadline: number,
  ): Promise<Receipt> => {
    const address = getAddressKey(req)
    // One transaction checks the limit, and stores the message or finds the one that it repeats.
    const { receipt, hits } = await inbox
      .submit(deadline, { ...message, address }, { limit, windowMs })
      .catch(refuseUnavailable)
    if (hits === undefined) return receipt
    const { count, resetInMs } = hits
    const retryAfterSeconds = Math.max(1, Math.ceil(resetInMs / 1000))
    const increment = () => ({ totalHits: count, resetTime: new Date(Date.now() + resetInMs) })
    // The transaction has decided. The library writes the headers, and refuses a count beyond the limit.
    const limiter = rateLimit({
      windowMs,
      limit,
      keyGenerator: () => address,
      // The type requires the empty methods.
      store: { increment, decrement() {}, resetKey() {} },
      handler: (_req, _res, next) => next(new Refusal('limit-reached', { retryAfterSeconds })),
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      // The library's checks expect a limiter that is created only once.
      validate: false,
    })
    const limitRefusal = await new Promise((done) => limiter(req, res, done))
    // Beyond the limit there are hits, but no receipt.
    if (!receipt) throw limitRefusal
    return receipt
  }
}

function refuseUnavailable(cause: unknown): never {
  if (!(cause instanceof InboxUnavailable)) throw cause
  const { reason } = cause
  throw new Refusal('unavailable', { retryAfterSeconds: STORE_RETRY_SECONDS, reason, cause })
}
