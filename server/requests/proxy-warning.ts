import type { RequestHandler } from 'express'
import { isPrivate } from '../config/networks.ts'
import type { Logger } from '../log.ts'
import { findAddress } from './address.ts'

/**
 * Warns once when a trusted proxy hands on a private address: it does not see its visitors' addresses, and
 * they count as one. Probes that a proxy sends on its own behalf have no such header.
 */
export function warnOfPrivateAddresses(log: Logger): RequestHandler {
  let warned = false
  return (req, _res, next) => {
    if (!warned && req.headers['x-forwarded-for'] && req.ip !== req.socket.remoteAddress) {
      warned = isPrivate(findAddress(req) ?? '')
      if (warned) {
        log.warn(
          'a trusted proxy hands on a private address; if it does so for every visitor, all of them count as one for the limits; see "Visitors\' addresses" in docs/operating.md',
        )
      }
    }
    next()
  }
}
