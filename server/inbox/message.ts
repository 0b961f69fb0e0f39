import { randomBytes } from 'node:crypto'
import type { ContactRequest } from '../../shared/contact-schema.ts'
import type { Language } from '../../shared/language.ts'

export const MESSAGE_STATUSES = [
  'new', // waits to be mailed; stays `new` while mail is off
  'mailed',
  'dead', // given up after five days; tried again once a day, or when an operator retries it
  'quarantined', // a trap was filled
  'archived', // handled by the firm
] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export interface NewMessage extends ContactRequest {
  language: Language
  /** Key of the sender in the message limit: an IPv4 address, an IPv6 network, or `unknown`. */
  address: string
}

export interface Message extends Omit<ContactRequest, 'service'> {
  /** A service of the form, one that an earlier form had, or empty. */
  service: string
  reference: string
  /** ISO 8601, UTC. */
  receivedAt: string
  status: MessageStatus
  language: Language
}

/** The name of a message's service; for one that the form no longer has, its id. A Map has no inherited keys, such as `constructor`. */
export const getServiceName = (services: Record<string, string>, { service }: Message) =>
  new Map(Object.entries(services)).get(service) ?? service

export interface Receipt {
  reference: string
  /** ISO 8601, UTC. A repeated message gets the time of the first one. */
  receivedAt: string
  /** `accepted`: stored and queued to be mailed. `repeated`: the content is that of a stored message. */
  outcome: 'accepted' | 'quarantined' | 'repeated'
}

// 32 characters of five bits each, without 0, O, 1 and I, which look alike.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const REFERENCE_PATTERN = new RegExp(`^RG(-[${ALPHABET}]{5}){2}$`)

/** 50 random bits, written so that people can read them out on the phone: RG-7K3M9-QXT4P. */
export function createReference(): string {
  const text = Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return `RG-${text.slice(0, 5)}-${text.slice(5)}`
}
