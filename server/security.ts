import type { RequestHandler } from 'express'
import helmet from 'helmet'

interface SecurityOptions {
  /** Whether the site is served over https. */
  https: boolean
  /** In development Vite's client needs its own styles, scripts and web socket. */
  developmentNonce?: string
}

export function createSecurity({ https, developmentNonce }: SecurityOptions): RequestHandler {
  const nonce = developmentNonce ? [`'nonce-${developmentNonce}'`] : []
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...nonce],
        styleSrc: ["'self'", ...nonce],
        imgSrc: ["'self'"],
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
    strictTransportSecurity: https && { maxAge: 63_072_000, includeSubDomains: true },
  })
}
