import { BlockList, isIP } from 'node:net'

/** Both also in IPv6's form for them, ::ffff:127.0.0.1. */
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

/** True when a host, from a setting or a URL, is this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || contains(loopback, host.replace(/^\[(.+)\]$/, '$1'))
}

/** True for loopback, link-local and private addresses: no public visitor has one. */
export function isPrivate(address: string): boolean {
  return contains(loopback, address) || contains(local, address)
}
