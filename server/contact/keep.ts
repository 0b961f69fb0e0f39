import type { Request, RequestHandler, Response } from 'express'
import { DEFAULT_LANGUAGE } from '../../shared/language.ts'
import { keepMessage, type Receipt } from '../inbox/keep-message.ts'
import type { Store } from '../inbox/store.ts'

/** Answers with the reference of a stored message. The page's form, without JavaScript, is sent on to the page that thanks. */
function sendReceipt(req: Request, res: Response, receipt: Receipt): void {
  const { outcome, reference, receivedAt } = receipt
  res.locals.details = { outcome, reference }
  if (req.path === '/contact') {
    const lang = res.locals.chosenLanguage ?? DEFAULT_LANGUAGE
    res.redirect(303, `/contact?${new URLSearchParams({ sent: reference, lang })}`)
  } else res.set('Cache-Control', 'no-store').json({ reference, receivedAt })
}

/** Stores the message, then answers; a message with the content of an earlier one gets the earlier reference. `wakeMailing` must return at once. */
export function createKeep(
  store: Store,
  giveBackHit: (req: Request, res: Response) => Promise<void>,
  wakeMailing?: () => void,
): RequestHandler {
  return async (req, res) => {
    const receipt = await keepMessage(store, res.locals.message).catch(async (error) => {
      await giveBackHit(req, res)
      throw error
    })
    if (receipt.outcome === 'accepted') wakeMailing?.()
    sendReceipt(req, res, receipt)
  }
}
