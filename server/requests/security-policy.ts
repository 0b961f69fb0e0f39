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
