import type { Request, Response } from 'express'
import { Refusal } from '../errors.ts'

/** express.json and URLSearchParams repair invalid UTF-8 silently; this decoder throws. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

function checkMediaType(req: Request, expected: string): void {
  const [type = '', ...parameters] = (req.get('Content-Type') ?? '').toLowerCase().split(';')
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  const encoding = req.get('Content-Encoding')?.toLowerCase() ?? 'identity'
  const transfer = req.get('Transfer-Encoding')?.toLowerCase() ?? 'chunked'
  const known = type.trim() === expected && encoding === 'identity' && transfer === 'chunked'
  if (!known || (charset && !/^charset="?utf-?8"?$/.test(charset))) {
    throw new Refusal('unsupported-media-type', { headers: { Accept: expected } })
  }
}

/** Checks Content-Length before 100-continue: the client should not send a body that is too large. */
async function readBytes(req: Request, res: Response, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => {
    res.set('Connection', 'close')
    return new Refusal('too-large')
  }
  if (Number(req.get('Content-Length') ?? 0) > maxBytes) throw tooLarge()
  if (req.get('Expect') && req.httpVersion !== '1.0') res.writeContinue()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new Refusal('not-utf8', { cause })
  }
}

export type Body = Record<string, unknown>

function parseJson(text: string): Body {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('malformed-json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('not-an-object')
  }
  return value as Body
}

function parseForm(text: string): Body {
  try {
    decodeURIComponent(text)
  } catch (cause) {
    throw new Refusal('not-utf8', { cause })
  }
  return Object.fromEntries(new URLSearchParams(text))
}

const createReader =
  (type: string, parse: (text: string) => Body) =>
  async (req: Request, res: Response, maxBytes: number): Promise<Body> => {
    checkMediaType(req, type)
    return parse(decode(await readBytes(req, res, maxBytes)))
  }
export type ReadBody = ReturnType<typeof createReader>

export const readJson = createReader('application/json', parseJson)

/** The last of several fields with the same name counts, as in JSON. */
export const readForm = createReader('application/x-www-form-urlencoded', parseForm)
