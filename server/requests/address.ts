import { isIP, isIPv4 } from 'node:net'
import type { Request, RequestHandler } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'
import type { Logger } from '../log.ts'

declare global {
  namespace Express {
    /** `res.locals`: values that one step of a request sets for later steps. */
    interface Locals {
      /** The visitor's IP address, set by createRequireAddress. */
      address: string
    }
  }
}

/** Prefix length of a household's IPv6 network. */
const HOUSEHOLD_BITS = 56

/** Some proxies add the port of the visitor to X-Forwarded-For. */
const WITH_PORT = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/
/** RFC 6052 and 8215: a NAT64 gateway of a provider puts the IPv4 address of each visitor into one IPv6 network. */
const NAT64 = /^\[64:ff9b:(?:1:)?:([\da-f]{1,4}):([\da-f]{1,4})\]$/

function toPlainAddress(ip: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(ip) ?? []
  const address = ipv6 ?? ipv4 ?? ip
  // URL writes an IPv6 address in its one short form.
  const [, high, low] = NAT64.exec(URL.parse(`http://[${address}]`)?.hostname ?? '') ?? []
  if (!high || !low) return address
  const bytes = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
  return bytes.join('.')
}

/** The visitor's address. If the proxy names none that is valid, its own: then those visitors share one limit. */
function findAddress({ ip = '', socket }: Request): string | undefined {
  const address = toPlainAddress(ip)
  return isIP(address) ? address : socket.remoteAddress
}

/** Reads the address once: a closed socket has none. Without an address a request would escape the limits, so it is cut off. */
export function createRequireAddress(log: Logger, trustProxy: number | string[]): RequestHandler {
  let isWarned = trustProxy !== 0
  return (req, res, next) => {
    const address = findAddress(req)
    if (!address) {
      req.socket.destroy()
      return
    }
    if (!isWarned && req.headers['x-forwarded-for']) {
      isWarned = true
      log.warn(
        'a request has X-Forwarded-For, but TRUST_PROXY is not set: behind a proxy, all visitors would share one limit; set it to the number of proxies',
      )
    }
    res.locals.address = address
    next()
  }
}

/** The network that the limits count: an IPv4 address, or the IPv6 network of a household. */
export const getNetwork = (address: string): string => ipKeyGenerator(address, HOUSEHOLD_BITS)

/** An address without the part that identifies a household: IPv4 to /24, IPv6 to /48. */
export function cutAddress(address: string): string {
  const network = ipKeyGenerator(address, 48)
  return isIPv4(network) ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network
}
