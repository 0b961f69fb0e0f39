import { isIP, isIPv4 } from 'node:net'
import type { Request, RequestHandler } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import { isPrivate } from '../config/networks.ts'
import type { Logger } from '../log.ts'

/** Prefix length of a household's IPv6 network. */
const IPV6_PREFIX_BITS = 56
const WITH_PORT = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/

/** Address of the visitor, without the port that some proxies add; undefined if there is no valid one. */
export function findAddress({ ip = '' }: Pick<Request, 'ip'>): string | undefined {
  if (isIP(ip)) return ip
  const [, ipv6, ipv4] = WITH_PORT.exec(ip) ?? []
  const address = ipv6 ?? ipv4 ?? ''
  return isIP(address) ? address : undefined
}

/** Key of a visitor for limits. Visitors without an address share one key. */
export function getAddressKey(req: Request): string {
  const address = findAddress(req)
  return address ? ipKeyGenerator(address, IPV6_PREFIX_BITS) : 'unknown'
}

/** An address without the part that identifies a household: IPv4 to /24, IPv6 to /48. */
export function cutAddress(address: string | undefined): string | undefined {
  if (!address || !isIP(address)) return undefined
  const network = ipKeyGenerator(address, 48)
  return isIPv4(network) ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network
}

/** Warns once. Ignores requests without X-Forwarded-For, such as the proxy's own probes. */
export function warnOfPrivateAddresses(log: Logger): RequestHandler {
  let isWarned = false
  return (req, _res, next) => {
    if (!isWarned && req.ips.length > 0) {
      isWarned = isPrivate(findAddress(req) ?? '')
      if (isWarned) {
        log.warn(
          'a trusted proxy reports a private address as the visitor\'s address; if every visitor gets this address, all share one limit; see "Visitors\' addresses" in docs/settings.md',
        )
      }
    }
    next()
  }
}
