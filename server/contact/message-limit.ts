import { AsyncLocalStorage } from 'node:async_hooks'
import type { Request, Response } from 'express'
import { rateLimit, type Store } from 'express-rate-limit'
import type { ContactLimit } from '../../shared/page-state.ts'
import { Refusal } from '../errors.ts'
import { type Inbox, InboxUnavailable, type NewMessage, type Receipt } from '../inbox/inbox.ts'
import { getAddressKey } from '../requests/address.ts'

const STORE_RETRY_SECONDS = '30'

export interface MessageLimitParts {
  inbox: Inbox
  limit: ContactLimit
  now: () => number
}

interface Submission {
  message: Omit<NewMessage, 'address'>
  /** Deadline of the transaction that stores the message, in epoch ms. */
  deadline: number
  receipt?: Receipt
  /** Set by the store, like `receipt`: time until the oldest hit leaves the window. */
  resetInMs?: number
}

/** The inbox is the store of express-rate-limit, so that one transaction stores and counts a message. */
export function createMessageLimit({ inbox, limit, now }: MessageLimitParts) {
  const windowMs = limit.windowMinutes * 60_000
  // express-rate-limit passes only the address to its store. AsyncLocalStorage gives the store the submission.
  const submissions = new AsyncLocalStorage<Submission>()

  const store: Store = {
    async increment(address) {
      const submission = submissions.getStore()
      if (!submission)
        throw new Error(
          'increment() was called outside of submissions.run(), so there is no message to store',
        )
      const { receipt, count, resetInMs } = await inbox
        .submit(
          { ...submission.message, address },
          { limit: limit.count, windowMs },
          submission.deadline,
        )
        .catch(refuseUnavailable)
      Object.assign(submission, { receipt, resetInMs })
      // A stored message must pass express-rate-limit, which accepts only 1 to `limit` hits.
      const totalHits = receipt ? Math.min(Math.max(1, count), limit.count) : count
      return { totalHits, resetTime: new Date(now() + resetInMs) }
    },
    // The Store type requires these methods. They do nothing, because the inbox itself removes hits.
    decrement() {},
    resetKey() {},
  }

  const limiter = rateLimit({
    windowMs,
    limit: limit.count,
    store,
    keyGenerator: getAddressKey,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_req, _res, next) => {
      const { resetInMs = windowMs } = submissions.getStore() ?? {}
      const seconds = Math.max(1, Math.ceil(resetInMs / 1000))
      next(new Refusal('limit-reached', { headers: { 'Retry-After': String(seconds) } }))
    },
  })
  const runLimiter = (req: Request, res: Response) =>
    new Promise<void>((resolve, reject) => {
      limiter(req, res, (error) => (error ? reject(error) : resolve()))
    })

  /** Throws a Refusal if the limit is reached or the inbox is unavailable. */
  return async (req: Request, res: Response, submission: Submission): Promise<Receipt> => {
    await submissions.run(submission, () => runLimiter(req, res))
    const { receipt } = submission
    if (!receipt)
      throw new Error('express-rate-limit accepted a message that the inbox did not store')
    return receipt
  }
}

function refuseUnavailable(error: unknown): never {
  if (!(error instanceof InboxUnavailable)) throw error
  const headers = { 'Retry-After': STORE_RETRY_SECONDS }
  throw new Refusal('unavailable', { headers, cause: error })
}
