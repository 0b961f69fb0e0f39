import type { Request, Response } from 'express'
import { rateLimit } from 'express-rate-limit'
import type { ContactLimit } from '../../shared/constants.ts'
import { Refusal } from '../errors.ts'
import { type Inbox, InboxUnavailable, type NewMessage, type Receipt } from '../inbox/inbox.ts'
import { getAddressKey } from '../requests/address.ts'

const STORE_RETRY_SECONDS = 30

/**
 * The returned function stores a message within the limit of its sender. Throws a Refusal if the limit is reached or
 * the inbox is unavailable. `deadline` is in epoch ms.
 */
export function createStoreMessage(inbox: Inbox, limit: ContactLimit) {
  const windowMs = limit.windowMinutes * 60_000

  return async (
    req: Request,
    res: Response,
    message: Omit<NewMessage, 'address'>,
    deadline: number,
  ): Promise<Receipt> => {
    const address = getAddressKey(req)
    const { receipt, count, resetInMs } = await inbox
      .submit({ ...message, address }, { limit: limit.count, windowMs }, deadline)
      .catch(refuseUnavailable)
    // Above the limit, express-rate-limit would answer by itself.
    const totalHits = Math.min(count, limit.count)
    const resetTime = new Date(Date.now() + resetInMs)
    // Only writes the headers, because the transaction of the message has counted it.
    const limiter = rateLimit({
      windowMs,
      limit: limit.count,
      keyGenerator: () => address,
      // The type requires the empty methods.
      store: { increment: async () => ({ totalHits, resetTime }), decrement() {}, resetKey() {} },
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      // These checks are for a limiter that is created once, and for a store that counts every request.
      validate: false,
    })
    await new Promise<void>((resolve, reject) => {
      limiter(req, res, (error) => (error ? reject(error) : resolve()))
    })
    if (receipt !== 'limit-reached') return receipt
    const retryAfterSeconds = Math.max(1, Math.ceil(resetInMs / 1000))
    throw new Refusal(receipt, { retryAfterSeconds })
  }
}

function refuseUnavailable(cause: unknown): never {
  if (!(cause instanceof InboxUnavailable)) throw cause
  const { reason } = cause
  throw new Refusal('unavailable', { retryAfterSeconds: STORE_RETRY_SECONDS, reason, cause })
}
