import type { Request, Response } from 'express'
import { MIN_FILL_MS, TYPED_FIELDS } from '../../shared/contact-fields.ts'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import type { FormValues } from '../../shared/page-state.ts'
import type { AnswerPage } from '../pages/page-response.ts'
import { type Body, readForm, readJson } from '../requests/body.ts'
import { findChosenLanguage, getApiLanguage } from '../requests/language.ts'
import { hasLeft, noteRefusal } from '../requests/problem.ts'
import type { Routes } from '../requests/routes.ts'
import { createReceiver, type ReceiverDeps } from './receive.ts'

/** POST /api/contact is for programs and the site's script, POST /contact for the form without JavaScript. */
export function createContactRoutes(parts: ReceiverDeps, answerPage: AnswerPage) {
  const receive = createReceiver(parts)

  const answerJson = async (req: Request, res: Response): Promise<void> => {
    const received = await receive(req, res, { read: readJson, language: getApiLanguage(req) })
    // handleErrors answers a refusal; the outcome `other-language` is of the page's form only.
    if (!('reference' in received)) throw received.refusal
    const { outcome, reference, receivedAt } = received
    res.locals.details = { outcome, reference }
    res.set('Cache-Control', 'no-store').json({ reference, receivedAt })
  }

  const answerForm = async (req: Request, res: Response): Promise<void> => {
    const lang = findChosenLanguage(req) ?? DEFAULT_LANGUAGE
    const received = await receive(req, res, { read: readForm, language: lang, isPageForm: true })
    if ('reference' in received) {
      const { outcome, reference } = received
      res.locals.details = { outcome, reference }
      res.redirect(303, `/contact?${new URLSearchParams({ sent: reference, lang })}`)
      return
    }
    const { outcome, refusal, body } = received
    if (outcome === 'refused') {
      noteRefusal(req, res, refusal)
      if (hasLeft(req)) return
      res.set(refusal.headers)
    }
    const { code, faults, retryAfterSeconds } = refusal ?? {}
    await answerPage(req, res, 'contact', {
      contact: {
        isShownAgain: true,
        values: getTypedValues(body),
        refusal: code && { code, faults, retryAfterSeconds },
      },
      formStartTime: findStartTime(body, parts.now()),
      status: outcome === 'refused' ? refusal.status : 200,
    })
  }

  return {
    '/api/contact': { POST: { label: 'api/contact', answer: answerJson } },
    '/contact': { POST: { label: 'contact-form', answer: answerForm } },
  } satisfies Routes
}

/** The time that the form was opened, so that a correction need not wait again; undefined if that is unknown, or was less than MIN_FILL_MS ago. */
function findStartTime({ formStartTime = '' }: Body = {}, now: number): string | undefined {
  const time = String(formStartTime)
  return /^\d+$/.test(time) && now - Number(time) >= MIN_FILL_MS ? time : undefined
}

/** The visitor's input, for the form that is shown again. */
function getTypedValues(body: Body = {}): FormValues {
  // HTML drops a line break at the start of a textarea. React prevents this only for LF.
  const toText = (value: unknown) => String(value ?? '').replaceAll('\r\n', '\n')
  return Object.fromEntries(TYPED_FIELDS.map((name) => [name, toText(body[name])]))
}
