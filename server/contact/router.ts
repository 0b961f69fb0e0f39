import {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { MAX_CONTACT_BYTES, REFUSAL_LIMIT } from '../../shared/constants.ts'
import { TYPED_FIELDS } from '../../shared/contact-faults.ts'
import type { Language } from '../../shared/language.ts'
import type { FormValues } from '../../shared/page-state.ts'
import type { Metrics } from '../api/metrics/metrics.ts'
import type { Config } from '../config/config.ts'
import {
  hasLeft,
  logRefusal,
  type Refusal,
  refuseMethod,
  toContactOutcome,
  toRefusal,
} from '../errors.ts'
import type { Inbox, Receipt } from '../inbox/inbox.ts'
import type { AnswerPage } from '../pages/page-response.ts'
import { createAddressLimit } from '../requests/address-limit.ts'
import { readForm, readJson } from '../requests/body.ts'
import { getApiLanguage, getPageLanguage } from '../requests/language.ts'
import { checkOrigin } from '../requests/origin.ts'
import { setLabel } from '../requests/route-labels.ts'
import { createPipeline } from './pipeline.ts'

interface ContactParts {
  config: Pick<Config, 'contactLimit' | 'publicOrigins'>
  inbox: Inbox
  onKept?: () => void
  now: () => number
  answerPage: AnswerPage
  metrics?: Metrics
}

type Answer = (res: Response, receipt: Receipt, language: Language) => void

/** POST /api/contact is for programs and the site's script, POST /contact for the form without JavaScript. */
export function addContact(app: Express, parts: ContactParts): void {
  const { config, inbox, onKept, now, answerPage, metrics } = parts
  const { contactLimit: limit, publicOrigins } = config
  const pipeline = createPipeline({ inbox, limit, now })
  const refusals = createAddressLimit(REFUSAL_LIMIT)
  const guards = [refusals.gate, checkOrigin(publicOrigins)]

  const keepMessage =
    (getLanguage: typeof getPageLanguage, answer: Answer): RequestHandler =>
    async (req, res) => {
      const language = getLanguage(req)
      const { receipt, outcome } = await pipeline(req, res, language)
      if (!receipt.repeated) onKept?.()
      metrics?.contact(outcome)
      res.locals.outcome = { outcome, reference: receipt.reference }
      answer(res, receipt, language)
    }

  const countRefusal: ErrorRequestHandler = (error, req, _res, next) => {
    const refusal = toRefusal(error)
    const left = hasLeft(req)
    metrics?.contact(left ? 'left' : refusal.code)
    if (!left && refusal.status < 500) refusals.count(req)
    next(refusal)
  }

  const answerForm: ErrorRequestHandler = (refusal: Refusal, req, res, _next) => {
    logRefusal(req, res, refusal)
    if (hasLeft(req)) return
    const contact = { values: getTypedValues(res.locals.body), ...toContactOutcome(refusal) }
    res.set(refusal.headers)
    return answerPage(req, res, 'contact', { contact, status: refusal.status })
  }

  // The refusal limit stops a request before its body is read. Read it anyway: the form must keep the input.
  const readForEcho = Router().use(checkOrigin(publicOrigins), readForm(MAX_CONTACT_BYTES))
  const readStopped: ErrorRequestHandler = (error, req, res, next) => {
    if (toRefusal(error).code === 'too-many-refusals') readForEcho(req, res, () => next(error))
    else next(error)
  }

  app.post(
    '/api/contact',
    setLabel('api/contact'),
    guards,
    readJson(MAX_CONTACT_BYTES),
    keepMessage(getApiLanguage, (res, { reference, receivedAt }) => {
      res.set('Cache-Control', 'no-store').json({ reference, receivedAt })
    }),
    countRefusal,
  )
  app.all('/api/contact', refuseMethod('api/contact', 'POST'))
  app.post(
    '/contact',
    setLabel('contact'),
    guards,
    readForm(MAX_CONTACT_BYTES),
    keepMessage(getPageLanguage, (res, { reference }, lang) => {
      res.redirect(303, `/contact?${new URLSearchParams({ sent: reference, lang })}`)
    }),
    readStopped,
    countRefusal,
    answerForm,
  )
  // Otherwise Express would answer OPTIONS itself, and its Allow header would lack GET and HEAD.
  app.options('/contact', refuseMethod('contact', 'GET, HEAD, POST'))
}

/** The visitor's input, for the form that is shown again. */
function getTypedValues(body: Record<string, unknown> = {}): FormValues {
  // HTML drops a line break at the start of a textarea. React prevents this only for LF.
  const toText = (value: unknown) => String(value ?? '').replaceAll('\r\n', '\n')
  return Object.fromEntries(TYPED_FIELDS.map((name) => [name, toText(body[name])]))
}
