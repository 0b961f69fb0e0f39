import type { Response } from 'express'
import type { ContactRequest } from '../../shared/contact.ts'
import type { Language } from '../../shared/language.ts'
import type { Receipt } from '../inbox/inbox.ts'

/** Values that one step of a contact request hands to the next, in `res.locals`. */
export interface ContactLocals {
  language: Language
  body: Record<string, unknown>
  request: ContactRequest
  idempotencyKey?: string
  /** Until when the message must be kept, in epoch ms. */
  deadline: number
  receipt?: Receipt
  /** When the limit frees a place, in ms from now. */
  resetInMs?: number
}

export const localsOf = (res: Response) => res.locals as ContactLocals & Response['locals']

/** Throws where nothing has been kept. */
export function getReceipt(res: Response): Receipt {
  const { receipt } = localsOf(res)
  if (!receipt) throw new Error('A message was answered for that is not kept')
  return receipt
}
