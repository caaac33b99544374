import { expect, it } from 'vitest'
import { isPrivateAddress } from './is-private-address.ts'

it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001:801::200e'])(
  '%s is public',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  },
)

it.each([
  '127.0.0.1',
  '10.0.0.1',
  '172.31.255.255',
  '::1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  'fd12::1',
  'localhost',
  '',
])('%j is not', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})
