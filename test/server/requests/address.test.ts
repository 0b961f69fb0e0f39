import type { Request } from 'express'
import { addressKey, findAddress } from '../../../server/requests/address.ts'

const from = (ip: string | undefined) => ({ ip }) as Request

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4000', '203.0.113.7'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['unknown', undefined],
  ['', undefined],
  [undefined, undefined],
])('the address in %s is %s', (ip, address) => {
  expect(findAddress(from(ip))).toBe(address)
})

test('a port does not change the visitor, and visitors without an address share one key', () => {
  expect(addressKey(from('203.0.113.7:1'))).toBe(addressKey(from('203.0.113.7:2')))
  expect(addressKey(from('[2001:db8::1]:80'))).toBe(addressKey(from('2001:db8:0:ff::2')))
  expect(addressKey(from('garbage'))).toBe(addressKey(from('unknown')))
})
