import {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { CONTACT_MAXIMUM_SIZE, REFUSAL_LIMIT } from '../../shared/constants.ts'
import { TYPED_FIELDS } from '../../shared/contact.ts'
import type { FormValues } from '../../shared/page-state.ts'
import type { Metrics } from '../api/metrics/metrics.ts'
import type { Config } from '../config/config.ts'
import {
  createProblemSender,
  hasLeft,
  isFailure,
  type Refusal,
  refuseMethod,
  toOutcome,
  toRefusal,
} from '../errors.ts'
import { logOf } from '../log.ts'
import type { AnswerPage } from '../pages/page-response.ts'
import { readForm, readJson } from '../requests/body.ts'
import { apiLanguage, pageLanguage } from '../requests/language.ts'
import { checkOrigin } from '../requests/origin.ts'
import type { RouteLabel } from '../requests/route-labels.ts'
import { getReceipt, localsOf } from './locals.ts'
import { createSteps, type StepParts } from './pipeline.ts'
import { createRefusalLimit } from './refusal-limit.ts'

interface ContactParts extends Omit<StepParts, 'limit'> {
  config: Config
  answerPage: AnswerPage
  metrics?: Metrics
}

/** POST /api/contact, and by the same rules POST /contact, the page's own form without JavaScript. */
export function createContact(parts: ContactParts): Router {
  const { config, inbox, onKept, now, answerPage, metrics } = parts
  const limit = config.contactLimit
  const refusals = createRefusalLimit({ limit: REFUSAL_LIMIT, now })
  const sendProblem = createProblemSender(limit)

  const guards = [refusals.gate, checkOrigin(config.publicOrigins)]
  const countKept: RequestHandler = (_req, res, next) => {
    const { request } = localsOf(res)
    const kept = request.trapped.length > 0 ? 'quarantined' : 'accepted'
    metrics?.contact(getReceipt(res).repeated ? 'replayed' : kept)
    next()
  }
  const steps = [...createSteps({ inbox, onKept, limit, now }), countKept]

  const begin =
    (label: RouteLabel, language: typeof pageLanguage): RequestHandler =>
    (req, res, next) => {
      res.locals.label = label
      res.locals.language = language(req)
      next()
    }

  const onRefusal =
    (
      answer: (...parts: [Refusal, ...Parameters<RequestHandler>]) => unknown,
    ): ErrorRequestHandler =>
    async (error, req, res, next) => {
      const refusal = toRefusal(error)
      if (isFailure(refusal, req)) {
        logOf(res).error({ err: refusal.cause }, 'a message was not kept')
      }
      if (hasLeft(req)) {
        metrics?.contact('left')
        return
      }
      metrics?.contact(refusal.code)
      refusals.count(req, refusal)
      await answer(refusal, req, res, next)
    }

  const answerProblem = onRefusal((refusal, req, res) => sendProblem(req, res, refusal))

  const answerForm = onRefusal(async (refusal, req, res) => {
    const contact = { values: echo(localsOf(res).body), ...toOutcome(refusal) }
    res.set(refusal.headers)
    await answerPage(req, res, 'contact', { contact, status: refusal.status })
  })

  const reading = Router().use(checkOrigin(config.publicOrigins), readForm(CONTACT_MAXIMUM_SIZE))

  /** One who is stopped before the form is read gets back what was typed; nothing else comes of it. */
  const readStopped: ErrorRequestHandler = (error, req, res, next) => {
    if (toRefusal(error).code === 'too-many-refusals') reading(req, res, () => next(error))
    else next(error)
  }

  const router = Router({ caseSensitive: true, strict: true })
  router.post(
    '/api/contact',
    begin('api/contact', apiLanguage),
    ...guards,
    readJson(CONTACT_MAXIMUM_SIZE),
    ...steps,
    (_req: Request, res: Response) => {
      const { reference, receivedAt } = getReceipt(res)
      res.set('Cache-Control', 'no-store').json({ reference, receivedAt })
    },
    answerProblem,
  )
  router.all('/api/contact', refuseMethod('api/contact', 'POST'))
  router.post(
    '/contact',
    begin('contact', pageLanguage),
    ...guards,
    readForm(CONTACT_MAXIMUM_SIZE),
    ...steps,
    (_req: Request, res: Response) => {
      const query = new URLSearchParams({
        sent: getReceipt(res).reference,
        lang: localsOf(res).language,
      })
      res.redirect(303, `/contact?${query}`)
    },
    readStopped,
    answerForm,
  )
  // Express would answer OPTIONS by itself, without the methods of the page.
  router.options('/contact', refuseMethod('contact', 'GET, HEAD, POST'))
  return router
}

/** What was typed, for the form that is shown again. */
function echo(body: Record<string, unknown> = {}): FormValues {
  // In HTML a textarea loses a first line break that is not written as React writes it.
  const write = (value: unknown) => String(value ?? '').replaceAll('\r\n', '\n')
  return Object.fromEntries(TYPED_FIELDS.map((name) => [name, write(body[name])]))
}
