import type { Express, Request, RequestHandler, Response } from 'express'
import helmet from 'helmet'

/** Features that Permissions-Policy turns off. Add only names that Chromium knows: it warns of others. */
const UNUSED_FEATURES = `
  accelerometer autoplay browsing-topics camera clipboard-read display-capture encrypted-media
  fullscreen geolocation gyroscope hid identity-credentials-get idle-detection local-fonts
  magnetometer microphone midi payment picture-in-picture publickey-credentials-create
  publickey-credentials-get screen-wake-lock serial storage-access usb window-management
  xr-spatial-tracking
`

interface SecurityOptions {
  https: boolean
  /** Set in development: allows the inline styles and scripts of Vite's client, and its WebSocket. */
  developmentNonce?: string
  /** `'sha256-…'` of the style elements in the documents; if undefined, style files of the site are allowed. */
  styleHashes?: string[]
}

/** Runs helmet once, because the headers are the same for all answers of the app. */
export function createSecurityHeaders(options: SecurityOptions): Map<string, string> {
  const headers = new Map<string, string>()
  const collector = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => {},
  }
  createHelmet(options)({} as Request, collector as unknown as Response, () => {})
  const features = UNUSED_FEATURES.trim().split(/\s+/)
  headers.set('Permissions-Policy', features.map((name) => `${name}=()`).join(', '))
  return headers
}

/** Overrides `writeHead`, because every head of the app passes through it, even one that Node writes by itself. A page
 * passes its own headers as an array. */
export function addToEveryAnswer(app: Express, headers: Map<string, string>): void {
  const constant = [...headers].flat()
  const { writeHead } = app.response
  app.response.writeHead = function (
    this: Response,
    status: number,
    own?: unknown,
    more?: unknown,
  ) {
    const { requestId } = this.locals
    if (Array.isArray(own)) {
      return writeHead.call(this, status, [...constant, ...own, 'X-Request-Id', requestId])
    }
    for (const [name, value] of headers) {
      if (!this.hasHeader(name)) this.setHeader(name, value)
    }
    this.setHeader('X-Request-Id', requestId)
    return Reflect.apply(writeHead, this, [status, own, more])
  }
}

function createHelmet({ https, developmentNonce, styleHashes }: SecurityOptions): RequestHandler {
  const nonce = developmentNonce ? [`'nonce-${developmentNonce}'`] : []
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // The privacy page promises that nothing comes from another site.
        scriptSrc: ["'self'", ...nonce],
        styleSrc: ["'self'", ...(styleHashes ?? nonce)],
        // The icon in each document is a data: URL.
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
    // With `no-referrer` the site's own form would send `Origin: null`.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: https && { maxAge: 63_072_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  })
}
