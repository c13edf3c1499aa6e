import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Reads an IPv4 address of four decimal parts or an IPv6 address, whose zone is dropped; null for anything else.
 * An IPv4-mapped address stays IPv6 until `unmapped`.
 */
export function parseIp(text: string): Ip | null {
  if (isIPv4(text)) return ipaddr.parse(text);
  if (!isIPv6(text)) return null;
  const [withoutZone = ''] = text.split('%');
  // ipaddr.js reads the compatible `::1.2.3.4` as the mapped `::ffff:1.2.3.4`, unless its first zero is written.
  return ipaddr.parse(withoutZone.replace(/^::(?=\d+\.)/, '0::'));
}

/** The IPv4 address of an IPv4-mapped one, decided by its bits, not its notation (RFC 4291 §2.5.5.2); other addresses as they are. */
export function unmapped(ip: Ip): Ip {
  return ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip;
}
