import type { Request } from 'express'
import { ipKeyGenerator } from 'express-rate-limit'

const IPV6_SUBNET = 56

/** What counts as one visitor: an IPv4 address, or the /56 that an IPv6 household has. */
export function addressKey(req: Request): string {
  return ipKeyGenerator(req.ip ?? '', IPV6_SUBNET)
}
