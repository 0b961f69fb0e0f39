import type { Request, Response } from 'express'
import { type Faults, MIN_FILL_MS } from '../../shared/contact-fields.ts'
import { MAX_CONTACT_BYTES, REFUSAL_LIMIT } from '../../shared/contact-limit.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import type { Language } from '../../shared/language.ts'
import type { Metrics } from '../api/metrics.ts'
import type { Config } from '../config/config.ts'
import { Refusal, toRefusal } from '../errors.ts'
import type { Inbox, Receipt } from '../inbox/inbox.ts'
import { IDEMPOTENCY_KEY_PATTERN } from '../inbox/message.ts'
import type { Body, ReadBody } from '../requests/body.ts'
import { createFloodLimit } from '../requests/flood-limit.ts'
import { checkOrigin } from '../requests/origin.ts'
import { hasLeft } from '../requests/problem.ts'
import { createStoreMessage } from './store-message.ts'

const SUBMIT_TIMEOUT_MS = 2000

export interface ReceiverDeps {
  config: Pick<Config, 'contactLimit' | 'publicOrigins'>
  inbox: Inbox
  wakeMailing?: () => void
  now: () => number
  metrics?: Metrics
}

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
  const { contactLimit: limit, publicOrigins } = config
  const refusals = createFloodLimit(REFUSAL_LIMIT)
  const storeMessage = createStoreMessage(inbox, limit)

  async function checkAndStore(
    req: Request,
    res: Response,
    body: Body,
    language: Language,
  ): Promise<Receipt> {
    const deadline = Date.now() + SUBMIT_TIMEOUT_MS
    const time = now()
    const result = checkContact(body, time)
    if (!result.ok) throw refuseFaults(result.faults, time)
    const { request } = result
    const idempotencyKey = req.get('Idempotency-Key')
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY_PATTERN.test(idempotencyKey)) {
      throw new Refusal('bad-idempotency-key')
    }
    return storeMessage(req, res, { ...request, language, idempotencyKey }, deadline)
  }

  function checkFields(body: Body): { refusal?: Refusal } {
    const result = checkContact(body, now())
    return result.ok ? {} : { refusal: new Refusal(result.faults) }
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
      if (isPageForm && body.lang !== undefined)
        return { outcome: 'other-language', body, ...checkFields(body) }
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

function refuseFaults(faults: Faults, time: number): Refusal {
  if (faults[0].code !== 'too-fast') return new Refusal(faults)
  return new Refusal(faults, {
    retryAfterSeconds: MIN_FILL_MS / 1000,
    headers: { 'Form-Start-Time': String(time) },
  })
}
