import { BlockList, isIP } from 'node:net'

/** Addresses that are not on the public internet: this machine, its network, clouds' own services. */
const privateIpv4 = createList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])

/** A list of its own: Node takes a plain IPv4 address for the `::ffff:` one that carries it, and would refuse them all. */
const privateIpv6 = createList('ipv6', [
  // Those that carry an IPv4 address inside are out of reach whatever it is: whoever needs one can name it plainly.
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
])

/** What is not an address at all counts as private: better refused than guessed. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return privateIpv4.check(address, 'ipv4')
  return family === 6 ? privateIpv6.check(address, 'ipv6') : true
}

function createList(
  family: 'ipv4' | 'ipv6',
  networks: readonly (readonly [network: string, prefix: number])[],
): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family)
  return list
}
