import { isLoopback, isPrivate } from '../../../server/config/networks.ts'

const split = (text: string) => text.split(' ')

test.each(split('localhost 127.0.0.1 127.0.0.2 ::1 [::1] ::ffff:127.0.0.1 [::ffff:7f00:1]'))(
  '%s is this machine',
  (host) => expect(isLoopback(host)).toBe(true),
)

test.each(['', ...split('0.0.0.0 128.0.0.1 10.0.0.1 :: ::2 localhost.example.ca 127.1')])(
  '%s is not this machine',
  (host) => expect(isLoopback(host)).toBe(false),
)

test.each([
  ...split('10.255.0.1 172.16.0.1 172.31.255.255 192.168.1.1 127.0.0.1 169.254.1.1'),
  ...split('::1 fd12:3456::1 fe80::1 ::ffff:172.18.0.1'),
])('%s is private', (address) => expect(isPrivate(address)).toBe(true))

test.each(['', ...split('unknown 172.32.0.1 192.169.0.1 203.0.113.7 2001:db8::1 fec0::1')])(
  '%s is not private',
  (address) => expect(isPrivate(address)).toBe(false),
)
