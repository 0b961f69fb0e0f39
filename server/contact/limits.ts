import { AsyncLocalStorage } from 'node:async_hooks'
import type { Request, RequestHandler, Response } from 'express'
import { rateLimit, type Store } from 'express-rate-limit'
import type { ContactLimit } from '../../shared/page-state.ts'
import { Refusal } from '../errors.ts'
import { type Inbox, InboxUnavailable, type NewMessage, type Receipt } from '../inbox/inbox.ts'
import { getAddressKey } from '../requests/address.ts'
import { createAddressCounts } from '../requests/address-counts.ts'

const STORE_RETRY_SECONDS = '30'

export interface MessageLimitParts {
  inbox: Inbox
  limit: ContactLimit
  now: () => number
}

interface Submission {
  message: Omit<NewMessage, 'address'>
  /** Epoch ms; a message is never kept later. */
  deadline: number
  receipt?: Receipt
  /** Time until the limit allows another message. */
  resetInMs?: number
}

/**
 * Accepts CONTACT_LIMIT messages of an address in a sliding window. The limiter's store is the inbox:
 * one transaction keeps a message and counts it.
 */
export function createMessageLimit({ inbox, limit, now }: MessageLimitParts) {
  const windowMs = limit.windowMinutes * 60_000
  // express-rate-limit hands its store an address only. The store needs the message as well,
  // and one limiter serves many requests at once: each finds its own submission here.
  const submissions = new AsyncLocalStorage<Submission>()

  const store: Store = {
    async increment(address) {
      const submission = submissions.getStore()
      if (!submission) throw new Error('The message limit was used outside of a request')
      const { receipt, count, resetInMs } = await inbox
        .submit(
          { ...submission.message, address },
          { limit: limit.count, windowMs },
          submission.deadline,
        )
        .catch(refuseUnavailable)
      Object.assign(submission, { receipt, resetInMs })
      // A kept or replayed message is within the limit; express-rate-limit rejects 0.
      const totalHits = receipt ? Math.min(Math.max(1, count), limit.count) : count
      return { totalHits, resetTime: new Date(now() + resetInMs) }
    },
    // Required by the type. The inbox takes a hit back itself, and hits expire by themselves.
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

  /** Keeps a message, or throws a Refusal. */
  return async (req: Request, res: Response, submission: Submission): Promise<Receipt> => {
    await submissions.run(submission, () => runLimiter(req, res))
    const { receipt } = submission
    if (!receipt) throw new Error('The message limit let a message pass that is not kept')
    return receipt
  }
}

function refuseUnavailable(error: unknown): never {
  if (!(error instanceof InboxUnavailable)) throw error
  const headers = { 'Retry-After': STORE_RETRY_SECONDS }
  throw new Refusal('unavailable', { headers, cause: error })
}

interface RefusalLimitParts {
  limit: ContactLimit
  now: () => number
  maxAddresses?: number
}

/** Bounds the refusals of an address in a fixed window, in each process on its own. */
export function createRefusalLimit({ limit, now, maxAddresses }: RefusalLimitParts) {
  const windowMs = limit.windowMinutes * 60_000
  const counts = createAddressCounts({ windowMs, now, maxAddresses })

  /** Stops an address that has been refused too often. */
  const gate: RequestHandler = (req, _res, next) => {
    const known = counts.get(getAddressKey(req))
    if (!known || known.totalHits < limit.count) {
      next()
      return
    }
    // The window may have ended since `get` read the clock.
    const seconds = Math.max(1, Math.ceil((known.end - now()) / 1000))
    next(new Refusal('too-many-refusals', { headers: { 'Retry-After': String(seconds) } }))
  }

  /** Counts a refusal, except 5xx. */
  const count = (req: Request, { status }: Refusal): void => {
    if (status < 500) counts.increment(getAddressKey(req))
  }

  return { gate, count }
}
