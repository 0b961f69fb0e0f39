import { en, fr } from '../../shared/content/index.ts'
import type { Content } from '../../shared/content/schema.ts'
import { toLocal } from './local-time.ts'

/** Copy in both languages, French first. */
export function inBoth(pick: (content: Content) => string): string {
  return [...new Set([pick(fr), pick(en)])].join(' / ')
}

/** One line, without line breaks, bidi controls and lone surrogates. */
export function toLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
}

/** A moment by the firm's clock, such as 2026-05-04 08:00. */
export function formatMoment(iso: string): string {
  return toLocal(Date.parse(iso))
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ')
}

export function formatDay(iso: string): string {
  return toLocal(Date.parse(iso)).toPlainDate().toString()
}
