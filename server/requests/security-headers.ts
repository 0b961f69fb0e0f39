import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import helmet from 'helmet'

/** What a page could ask a browser for, and none of ours does; helmet has no such header. */
const UNUSED_FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]

interface SecurityOptions {
  /** Whether the site is served over https. */
  https: boolean
  /** In development Vite's client needs its own styles, scripts and web socket. */
  developmentNonce?: string
  /** Of the style elements in the documents: `'sha256-…'`; without them all styles come from files. */
  styleHashes?: string[]
}

/** The security headers of every answer, by helmet; they are the same for all, so they are made once. */
export function createSecurityHeaders(options: SecurityOptions): Map<string, string> {
  const headers = new Map<string, string>()
  const collector = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => {},
  }
  createHelmet(options)({} as Request, collector as unknown as Response, () => {})
  if (!headers.has('Content-Security-Policy')) throw new Error('helmet has set no policy')
  headers.set('Permissions-Policy', UNUSED_FEATURES.map((name) => `${name}=()`).join(', '))
  return headers
}

function writeHeaders(headers: Map<string, string>, res: Response): void {
  res.setHeader('X-Request-Id', res.locals.requestId)
  for (const [name, value] of headers) res.setHeader(name, value)
}

/** Sets the headers that every answer has, its request id among them. */
export function setHeaders(headers: Map<string, string>): RequestHandler {
  return (_req, res, next) => {
    writeHeaders(headers, res)
    next()
  }
}

/** The same for the answer to an error, which may come from a step before that one. */
export function setErrorHeaders(headers: Map<string, string>): ErrorRequestHandler {
  return (error, _req, res, next) => {
    if (!res.headersSent) writeHeaders(headers, res)
    next(error)
  }
}

function createHelmet({ https, developmentNonce, styleHashes }: SecurityOptions): RequestHandler {
  const nonce = developmentNonce ? [`'nonce-${developmentNonce}'`] : []
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...nonce],
        styleSrc: styleHashes ?? ["'self'", ...nonce],
        // The icon, which stands in the documents.
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: developmentNonce ? ["'self'", 'ws:'] : ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: true,
    // `no-referrer` would make the site's own form send `Origin: null`.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: https && { maxAge: 63_072_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  })
}
