import type { Message } from '../../server/inbox/inbox.ts'
import { pick } from './numbers.ts'

/** Pieces of text that can break headers, lines, encodings or lists of addresses. */
export const PIECES = [
  ...['\r\n', '\n', '\r', '\0', '\t', '\v', '\f', '\u0085', '\u2028', '\u2029', '\u202e', '\u202a'],
  ...['\u2066', '\u2069', '\u200f', '\u061c', '\u200d', '\ufeff', '\ud800', '\udfff'],
  ...' ,;:"\'\\<>()[]@.',
  ...['\r\n.\r\n', '\r\n\r\n', '\r\n '],
  'Bcc: spy@evil.example',
  '\r\nBcc: spy@evil.example\r\n',
  '\nTo: spy@evil.example',
  '\r\nRCPT TO:<spy@evil.example>\r\n',
  'undisclosed: spy@evil.example;',
  ', spy@evil.example',
  '<spy@evil.example>',
  '" <spy@evil.example>',
  '=?utf-8?Q?=0D=0ABcc:_spy@evil.example?=',
  '=?utf-8?B?DQpCY2M6IHNweUBldmlsLmV4YW1wbGU=?=',
  '%0d%0aBcc:',
  ...['----', 'zoe@exemple.ca', '@exemple.québec', 'Éloïse', '𝒵👩🏽‍🚒', 'ᐃᓄᒃᑎᑐᑦ', 'מרים'],
  'x'.repeat(300),
]

const EMAILS = ['zoe@exemple.ca', "o'neil+tag@sub.exemple.ca", 'user%x@y.ca', 'a@exemple.québec']

function createText(random: () => number, maxPieces: number): string {
  const length = Math.ceil(random() * maxPieces)
  return Array.from({ length }, () => pick(random, PIECES)).join('')
}

/** Creates a message of random pieces, which the form would usually refuse. `number` makes its reference unique. */
export function createHostileMessage(random: () => number, number: number): Message {
  const email = pick(random, EMAILS)
  const text = createText(random, 3)
  return {
    reference: `RG-${String(number).padStart(5, '0')}-TEST2`,
    receivedAt: '2026-05-04T12:00:00.000Z',
    status: 'new',
    firstName: createText(random, 8),
    lastName: createText(random, 8),
    email: pick(random, [email, email, email + text, text + email, createText(random, 6)]),
    service: pick(random, ['', 'francophone']),
    message: createText(random, 30),
    trapped: [],
    language: pick(random, ['fr', 'en']),
  }
}
