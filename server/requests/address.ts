import { isIP } from 'node:net'
import type { Request } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'

const IPV6_SUBNET = 56
const WITH_PORT = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/

/** The address that a request comes from, without the port that some proxies write; undefined when it is none. */
export function findAddress({ ip = '' }: Pick<Request, 'ip'>): string | undefined {
  if (isIP(ip)) return ip
  const [, ipv6, ipv4] = WITH_PORT.exec(ip) ?? []
  const address = ipv6 ?? ipv4 ?? ''
  return isIP(address) ? address : undefined
}

/** What counts as one visitor: an IPv4 address, or the /56 that an IPv6 household has; all without an address are one. */
export function addressKey(req: Request): string {
  const address = findAddress(req)
  return address ? ipKeyGenerator(address, IPV6_SUBNET) : 'unknown'
}
