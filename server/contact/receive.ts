import type { Request, Response } from 'express'
import { MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { MAX_CONTACT_BYTES, REFUSAL_LIMIT } from '../../shared/contact-limit.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import type { Language } from '../../shared/language.ts'
import type { Parts } from '../app.ts'
import { Refusal, toRefusal } from '../errors.ts'
import type { Receipt } from '../inbox/inbox.ts'
import { InboxUnavailable } from '../inbox/inbox-errors.ts'
import { IDEMPOTENCY_KEY_PATTERN } from '../inbox/message.ts'
import { getAddressKey } from '../requests/address.ts'
import type { Body, ReadBody } from '../requests/body.ts'
import { createFloodLimit } from '../requests/flood-limit.ts'
import { checkOrigin } from '../requests/origin.ts'
import { hasLeft } from '../requests/problem.ts'
import { createLimitHeaders } from './limit-headers.ts'

const SUBMIT_TIMEOUT_MS = 2000
const STORE_RETRY_SECONDS = 30

export type ReceiverDeps = Pick<Parts, 'config' | 'inbox' | 'wakeMailing' | 'now' | 'metrics'>

interface ReceiveOptions {
  read: ReadBody
  language: Language
  /** True for the form of the page: it shows the visitor's input again when it is refused, or in the other language. */
  isPageForm?: boolean
}

/** `body` is undefined if it was not read, or could not be parsed. */
export type Received =
  | Receipt
  | { outcome: 'refused'; refusal: Refusal; body?: Body }
  /** The form is to be shown again in the other language. */
  | { outcome: 'other-language'; refusal?: Refusal; body: Body }

/** The returned function receives a contact request: it stores the message, or says why not. Never rejects. */
export function createReceiver({ config, inbox, wakeMailing, now, metrics }: ReceiverDeps) {
  const { contactLimit, publicOrigins } = config
  const limit = contactLimit.count
  const windowMs = contactLimit.windowMinutes * 60_000
  const refusals = createFloodLimit(REFUSAL_LIMIT)
  const writeLimitHeaders = createLimitHeaders(limit, windowMs)

  async function checkAndStore(req: Request, res: Response, body: Body, language: Language) {
    const deadline = Date.now() + SUBMIT_TIMEOUT_MS
    const time = now()
    const result = checkContact(body, time)
    if (!result.ok) {
      const tooFast = result.faults[0].code === 'too-fast' && {
        retryAfterSeconds: MIN_FILL_MS / 1000,
        headers: { 'Form-Start-Time': String(time) },
      }
      throw new Refusal(result.faults, tooFast || {})
    }
    const idempotencyKey = req.get('Idempotency-Key')
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY_PATTERN.test(idempotencyKey)) {
      throw new Refusal('bad-idempotency-key')
    }
    const address = getAddressKey(req)
    // One transaction checks the limit, and stores the message or finds the one that it repeats.
    const { receipt, hits } = await inbox
      .submit(
        deadline,
        { ...result.request, language, idempotencyKey, address },
        { limit, windowMs },
      )
      .catch(refuseUnavailable)
    // A repeated Idempotency-Key counts no hit.
    if (!hits) return receipt
    const retryAfterSeconds = Math.max(1, Math.ceil(hits.resetInMs / 1000))
    await writeLimitHeaders(req, res, hits)
    // Beyond the limit there are hits, but no receipt.
    if (!receipt) throw new Refusal('limit-reached', { retryAfterSeconds })
    return receipt
  }

  async function checkOriginAndRead(req: Request, res: Response, read: ReadBody): Promise<Body> {
    checkOrigin(req, publicOrigins)
    return read(req, res, MAX_CONTACT_BYTES)
  }

  return async (
    req: Request,
    res: Response,
    { read, language, isPageForm }: ReceiveOptions,
  ): Promise<Received> => {
    let body: Body | undefined
    try {
      refusals.check(req)
      body = await checkOriginAndRead(req, res, read)
      // The language button (client/components/language-button.tsx) of a refused form sends the form along.
      if (isPageForm && body.lang !== undefined) {
        const result = checkContact(body, now())
        const refusal = result.ok ? undefined : new Refusal(result.faults)
        return { outcome: 'other-language', body, refusal }
      }
      const receipt = await checkAndStore(req, res, body, language)
      if (receipt.outcome === 'accepted') wakeMailing?.()
      metrics?.contact(receipt.outcome)
      return receipt
    } catch (error) {
      const refusal = toRefusal(error)
      const left = hasLeft(req)
      metrics?.contact(left ? 'left' : refusal.code)
      if (!left && refusal.status < 500) refusals.count(req)
      // The flood limit stops a request before its body is read.
      if (isPageForm && refusal.code === 'too-many-refusals')
        body = await checkOriginAndRead(req, res, read).catch(() => undefined)
      return { outcome: 'refused', refusal, body }
    }
  }
}

function refuseUnavailable(cause: unknown): never {
  if (!(cause instanceof InboxUnavailable)) throw cause
  const { reason } = cause
  throw new Refusal('unavailable', { retryAfterSeconds: STORE_RETRY_SECONDS, reason, cause })
}
