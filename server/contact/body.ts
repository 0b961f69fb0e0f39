import { isUtf8 } from 'node:buffer'
import express, { type RequestHandler } from 'express'
import { MAX_CONTACT_BYTES } from '../../shared/contact-limit.ts'
import { Refusal } from '../errors.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Express's parsers skip other media types, accept utf-16, and refuse a large body only after its upload. */
function checkHead(type: string): RequestHandler {
  return (req, _res, next) => {
    if (Number(req.get('Content-Length') ?? 0) > MAX_CONTACT_BYTES) throw new Refusal('too-large')
    const [, charset = 'utf-8'] =
      /;\s*charset="?([^";]*)/i.exec(req.get('Content-Type') ?? '') ?? []
    const [media = ''] = (req.get('Content-Type') ?? '').split(';')
    if (media.trim().toLowerCase() !== type || !/^utf-?8$/i.test(charset.trim())) {
      throw new Refusal('unsupported-media-type', { headers: { Accept: type } })
    }
    next()
  }
}

const options = { limit: MAX_CONTACT_BYTES, inflate: false }

/** Express's parsers would replace other bytes. */
function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Error('The body is not UTF-8')
}

export const json: RequestHandler[] = [
  checkHead(JSON_TYPE),
  express.json({
    ...options,
    strict: false,
    verify: (_req, _res, bytes) => requireUtf8(bytes),
  }),
  ({ body }, _res, next) => {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    next(isObject ? undefined : new Refusal('not-an-object'))
  },
]

const getLast = (value: unknown) => (Array.isArray(value) ? value.at(-1) : value)

export const urlencoded: RequestHandler[] = [
  checkHead(FORM_TYPE),
  express.urlencoded({
    ...options,
    extended: false,
    verify(_req, _res, bytes) {
      requireUtf8(bytes)
      // Throws for percent-encoded bytes that are not UTF-8.
      decodeURIComponent(bytes.toString())
    },
  }),
  (req, _res, next) => {
    // The last of several fields with one name counts, as in JSON.
    const fields = Object.entries(req.body ?? {})
    req.body = Object.fromEntries(fields.map(([name, value]) => [name, getLast(value)]))
    next()
  },
]
