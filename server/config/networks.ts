import { BlockList, isIP, isIPv6 } from 'node:net'

/** A host in the form that a URL needs: an IPv6 address in brackets. */
export const toUrlHost = (host: string) => (isIPv6(host) ? `[${host}]` : host)

/** BlockList also matches IPv4 addresses in IPv6 form, such as ::ffff:127.0.0.1. */
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const local = new BlockList()
local.addSubnet('10.0.0.0', 8)
local.addSubnet('172.16.0.0', 12)
local.addSubnet('192.168.0.0', 16)
local.addSubnet('169.254.0.0', 16)
local.addSubnet('fc00::', 7, 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')

function contains(list: BlockList, text: string): boolean {
  const version = isIP(text)
  return version !== 0 && list.check(text, version === 4 ? 'ipv4' : 'ipv6')
}

/** True for `localhost` and loopback addresses, in brackets or not. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || contains(loopback, host.replace(/^\[(.+)\]$/, '$1'))
}

/** True for loopback, link-local and private addresses: no public visitor has such an address. */
export function isPrivate(address: string): boolean {
  return contains(loopback, address) || contains(local, address)
}

/** Shortest allowed prefix, as in 10.0.0.0/8 and fc00::/7. The IPv6 form of an IPv4 range is 96 bits longer. */
function getMinimumPrefix(address: string): number {
  if (isIP(address) === 4) return 8
  return URL.parse(`http://[${address}]`)?.hostname.startsWith('[::') ? 96 + 8 : 7
}

/** Node accepts these forms of IPv6 addresses, Express's `trust proxy` does not: ::10.0.0.1, fe80::1%eth-0. */
const UNKNOWN_TO_EXPRESS = /::\d+\.|%.*[^\da-z]/i

/** True for an address, or a range no wider than a private network. */
export function isAddressBlock(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/')
  const version = isIP(address)
  if (!version || rest.length > 0 || UNKNOWN_TO_EXPRESS.test(address)) return false
  if (prefix === undefined) return true
  const bits = /^[1-9]\d*$/.test(prefix) ? Number(prefix) : 0
  return bits >= getMinimumPrefix(address) && bits <= (version === 4 ? 32 : 128)
}
