import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { MIN_FILL_MS, TYPED_FIELDS } from '../../shared/contact-fields.ts'
import { checkContact } from '../../shared/contact-schema.ts'
import type { FormValues } from '../../shared/page-state.ts'
import { SERVICE_IDS } from '../../shared/sectors.ts'
import { Refusal, toRefusal } from '../errors.ts'
import { REFERENCE_PATTERN } from '../inbox/message.ts'
import { findMessage } from '../inbox/messages.ts'
import type { Store } from '../inbox/store.ts'
import { StoreUnavailable } from '../inbox/store-errors.ts'
import type { SendPage } from '../pages/send-page.ts'
import { noteRefusal } from '../requests/problem.ts'

type Body = Record<string, unknown>

/** The time that the form was opened, so that a correction need not wait again; undefined if that is unknown, or was less than MIN_FILL_MS ago. */
function findStartTime({ formStartTime = '' }: Body, now: number): string | undefined {
  const time = String(formStartTime)
  return /^\d+$/.test(time) && now - Number(time) >= MIN_FILL_MS ? time : undefined
}

/** The visitor's input, for the form that is shown again. */
function getTypedValues(body: Body): FormValues {
  // HTML drops a line break at the start of a textarea. React prevents this only for LF.
  const toText = (value: unknown) => String(value ?? '').replaceAll('\r\n', '\n')
  return Object.fromEntries(TYPED_FIELDS.map((name) => [name, toText(body[name])]))
}

/** The contact page, with and without a form that was sent without JavaScript. */
export function createContactPage(store: Store, sendPage: SendPage, now: () => number) {
  /** The reference in the query, if the inbox has that message. */
  async function findSent(reference: unknown): Promise<string | undefined> {
    if (typeof reference !== 'string' || !REFERENCE_PATTERN.test(reference)) return undefined
    try {
      return (await findMessage(store, reference)) && reference
    } catch (error) {
      if (error instanceof StoreUnavailable) return undefined
      throw error
    }
  }

  const show: RequestHandler = async (req, res) => {
    const sent = await findSent(req.query.sent)
    const service = SERVICE_IDS.find((id) => id === req.query.service)
    await sendPage(req, res, 'contact', { contact: sent ? { sent } : undefined, service })
  }

  async function showAgain(req: Request, res: Response, status: number, refusal?: Refusal) {
    const body: Body = req.body ?? {}
    const { code, faults, retryAfterSeconds } = refusal ?? {}
    await sendPage(req, res, 'contact', {
      contact: {
        isShownAgain: true,
        values: getTypedValues(body),
        refusal: code && { code, faults, retryAfterSeconds },
      },
      formStartTime: findStartTime(body, now()),
      status,
    })
  }

  /** The language button of a form that is shown again (client/components/language-button.tsx) sends the form along. */
  const showInOtherLanguage: RequestHandler = async (req, res, next) => {
    if (req.body.lang === undefined) {
      next()
      return
    }
    const result = checkContact(req.body, now())
    res.locals.details = { outcome: 'other-language' }
    await showAgain(req, res, 200, result.ok ? undefined : new Refusal(result.faults))
  }

  /** A refused form comes back as the visitor filled it in. */
  const showRefused: ErrorRequestHandler = async (error, req, res, next) => {
    const refusal = toRefusal(error)
    if (req.method !== 'POST' || refusal.code === 'server-error' || res.headersSent) {
      next(error)
      return
    }
    noteRefusal(req, res, refusal)
    res.set(refusal.headers)
    await showAgain(req, res, refusal.status, refusal)
  }

  return { show, showInOtherLanguage, showRefused }
}
