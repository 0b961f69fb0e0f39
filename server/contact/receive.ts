import type { Request, Response } from 'express'
import { MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { MAX_CONTACT_BYTES, REFUSAL_LIMIT } from '../../shared/contact-limit.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import type { Language } from '../../shared/language.ts'
import type { Parts } from '../app.ts'
import { Refusal, toRefusal } from '../errors.ts'
import { InboxUnavailable } from '../inbox/inbox-errors.ts'
import { findRepeated, keepMessage, type Receipt } from '../inbox/keep-message.ts'
import { giveBackSlot, takeSlot } from '../inbox/slots.ts'
import { getAddressKey } from '../requests/address.ts'
import type { Body, ReadBody } from '../requests/body.ts'
import { createFloodLimit } from '../requests/flood-limit.ts'
import { checkOrigin } from '../requests/origin.ts'
import { hasLeft } from '../requests/problem.ts'
import { createLimitHeaders } from './limit-headers.ts'

const STORE_RETRY_SECONDS = 30

export type ReceiverDeps = Pick<Parts, 'config' | 'store' | 'wakeMailing' | 'now' | 'metrics'>

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
export function createReceiver({ config, store, wakeMailing, now, metrics }: ReceiverDeps) {
  const { contactLimit, publicOrigins } = config
  const limit = contactLimit.count
  const windowMs = contactLimit.windowMinutes * 60_000
  const refusals = createFloodLimit(REFUSAL_LIMIT)
  const writeLimitHeaders = createLimitHeaders(limit, windowMs)

  async function checkAndStore(req: Request, res: Response, body: Body, language: Language) {
    const time = now()
    const result = checkContact(body, time)
    if (!result.ok) {
      const tooFast = result.faults[0].code === 'too-fast' && {
        retryAfterSeconds: MIN_FILL_MS / 1000,
        headers: { 'Form-Start-Time': String(time) },
      }
      throw new Refusal(result.faults, tooFast || {})
    }
    const address = getAddressKey(req)
    const message = { ...result.request, language, address }
    const repeated = await findRepeated(store, message).catch(refuseUnavailable)
    if (repeated) return repeated
    const hits = await takeSlot(store, { address, limit, windowMs }).catch(refuseUnavailable)
    await writeLimitHeaders(req, res, hits)
    const retryAfterSeconds = Math.max(1, Math.ceil(hits.resetInMs / 1000))
    if (hits.totalHits > limit) throw new Refusal('limit-reached', { retryAfterSeconds })
    const receipt = await keepMessage(store, message).catch((error) => error)
    const isKept = !Error.isError(receipt) && receipt.outcome !== 'repeated'
    if (!isKept) await giveBackSlot(store, address).catch(() => {})
    if (Error.isError(receipt)) return refuseUnavailable(receipt)
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
