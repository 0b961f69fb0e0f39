import type { RequestHandler } from 'express'
import type { HelmetOptions } from 'helmet'
import type { Config } from '../config.ts'
import type { Renderer } from '../pages/renderer.ts'

/** The options of helmet. In development, a nonce allows the scripts and styles of Vite's client. */
export function securityPolicy(
  { https }: Pick<Config, 'https'>,
  { styleHashes, nonce }: Pick<Renderer, 'styleHashes' | 'nonce'>,
): HelmetOptions {
  const nonces = nonce ? [`'nonce-${nonce}'`] : []
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // The privacy page promises that nothing comes from another site.
        scriptSrc: ["'self'", ...nonces],
        styleSrc: ["'self'", ...styleHashes, ...nonces],
        imgSrc: ["'self'"],
        fontSrc: ["'self'"],
        connectSrc: nonce ? ["'self'", 'ws:'] : ["'self'"],
        // Vite's client asks in a worker whether the server is back.
        ...(nonce && { workerSrc: ['blob:'] }),
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
  }
}

/** Features that the site does not use, of those that Chromium knows: it reports others. helmet has no option for them. */
const UNUSED_FEATURES = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'midi', 'serial']
const PERMISSIONS_POLICY = UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')

export const forbidFeatures: RequestHandler = (_req, res, next) => {
  res.set('Permissions-Policy', PERMISSIONS_POLICY)
  next()
}

/** Of a published SVG or HTML file: it may have styles and pictures, but no scripts. */
export const PUBLISHED_FILE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox"
