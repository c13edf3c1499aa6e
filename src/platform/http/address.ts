// X-Forwarded-For: a list to which every proxy appends the address that called it (RFC 7239 §5.2 and §7.4).
import { Refusal } from '../base/refusal.ts';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Network = readonly [base: Ip, prefixLength: number];

/**
 * IP networks. An IPv4 network that was written inside `::ffff:0:0/96` is converted to IPv4. No IPv6 network contains an IPv4
 * address.
 */
export type Networks = readonly Network[];

/**
 * For each kind of address: the bits of one of its groups (`width`), and the lengths in bits of the prefixes that a client
 * (`client`) and a larger network around it (`around`) have.
 */
const IPV4 = { width: 8, client: 32, around: 16 };
const IPV6 = { width: 16, client: 64, around: 32 };

/**
 * The number of leading groups of an IPv6 address that identify a customer's network: a /48, with many clients (RFC 6177 §2).
 */
const IPV6_SITE_GROUPS = 3;

/**
 * The client for whom a request counts. `key` is the client's network, as the groups of its prefix such as `2001:db8:0:1`;
 * `coarseKey` is the larger network around it.
 */
export type ClientAddress = { readonly key: string; readonly coarseKey: string };

/**
 * A sign of a proxy in one request: 'forwarding' if a trusted peer sent X-Forwarded-For, 'silent' if a trusted peer did not
 * send it, 'unlisted' if a private peer that is not trusted sent it.
 */
export type ProxySight = 'forwarding' | 'silent' | 'unlisted';

type AddressReader = (peer: string | null, forwardedFor: string | null) => ClientAddress;

type Hop = {
  readonly text: string;
  readonly address: { readonly key: string; readonly coarseKey: string };
  readonly isTrusted: boolean;
  readonly isPrivate: boolean;
};
type HopReader = (text: string) => Hop | null;

const unknownAddress: ClientAddress = { key: 'unknown', coarseKey: 'unknown' };
const privateRanges = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);
const networkForm = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/;
const portForm = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;
// The maximum number of addresses read from the header: nobody has more proxies in a row, and reading more costs time.
const mostHops = 16;
const longestHop = 80;
const rememberedHops = 1024;
const rememberedHeaderLength = 512;

/**
 * Reads the comma-separated CIDRs or bare addresses of `--trusted-proxies`; a blank text gives no network. Refuses with a
 * sentence that names every part it cannot parse.
 */
export function parseNetworks(text: string): Networks {
  if (text.trim() === '') return [];
  const parts = text.split(',').map((part) => part.trim());
  const networks = parts.map(parseNetwork);
  const bad = parts.filter((_, index) => networks[index] === null);
  if (bad.length === 0) return networks.filter((network) => network !== null);
  const named = bad.map((part) => `"${part}"`).join(', ');
  const remedy = 'write addresses or networks such as 10.0.0.0/8 or fd00::/8, separated by commas';
  throw Refusal.invalid(`Cannot parse the trusted proxies ${named}: ${remedy}`);
}

export const formatNetworks = (networks: Networks): string =>
  networks.map(([base, prefixLength]) => `${base.toString()}/${prefixLength}`).join(',');

/**
 * Creates the function that finds a request's client. It has a small cache of parsed addresses; a process needs only one.
 *
 * `X-Forwarded-For` counts only if the peer is in `trustedProxies`. The header is read from the right up to the first address
 * that is not trusted. If an address cannot be parsed, the request counts for the address to its right, or for the peer. `see`
 * gets the peer of the first request with each `ProxySight`.
 */
export function createAddressReader({
  trustedProxies,
  see,
}: {
  readonly trustedProxies: Networks;
  readonly see: (sight: ProxySight, peer: string) => void;
}): AddressReader {
  const read: HopReader = (text) => readHop(text, trustedProxies);
  const recall = remember(read);
  const seen = new Set<ProxySight>();
  const note = (sight: ProxySight, peer: Hop): void => {
    if (seen.has(sight)) return;
    seen.add(sight);
    see(sight, peer.text);
  };
  return (peer, forwardedFor) => {
    const hop = peer === null ? null : recall(peer);
    if (hop === null) return unknownAddress;
    if (forwardedFor === null) {
      if (hop.isTrusted) note('silent', hop);
      return hop.address;
    }
    // Addresses from long headers are not cached, since a cached part of a string may keep the whole header in memory.
    const readNext = forwardedFor.length > rememberedHeaderLength ? read : recall;
    if (hop.isTrusted) {
      note('forwarding', hop);
      return walk(hop, forwardedFor, readNext);
    }
    if (hop.isPrivate) note('unlisted', hop);
    return hop.address;
  };
}

export const isTrusted = (peer: string, trustedProxies: Networks): boolean =>
  readHop(peer, trustedProxies)?.isTrusted === true;

function parseNetwork(part: string): Network | null {
  const [, text = '', prefix] = networkForm.exec(part) ?? [];
  const bits = parseIp(text);
  if (bits === null) return null;
  const width = bits.kind() === 'ipv4' ? 32 : 128;
  const length = prefix === undefined ? width : Number(prefix);
  if (length > width) return null;
  const ip = unmapped(bits);
  if (ip === bits) return [bits, length];
  return length < 96 ? null : [ip, length - 96];
}

function walk(peer: Hop, forwardedFor: string, read: HopReader): ClientAddress {
  let client = peer;
  let end = forwardedFor.length;
  for (let hops = 0; client.isTrusted && end > 0 && hops < mostHops; hops++) {
    const start = forwardedFor.lastIndexOf(',', end - 1) + 1;
    const hop = read(forwardedFor.slice(start, end).trim());
    // A trusted proxy wrote the malformed address, but maybe the client wrote those to its left.
    if (hop === null) break;
    client = hop;
    end = start - 1;
  }
  return client.address;
}

function remember(read: HopReader): HopReader {
  const known = new Map<string, Hop | null>();
  return (text) => {
    const hop = known.get(text);
    if (hop !== undefined) return hop;
    if (known.size === rememberedHops) known.clear();
    const found = read(text);
    known.set(text, found);
    return found;
  };
}

function readHop(text: string, trustedProxies: Networks) {
  const bits = text.length > longestHop ? null : parseIp(withoutPort(text));
  if (bits === null) return null;
  const ip = unmapped(bits);
  return {
    text: ip.toString(),
    address: addressOf(ip),
    isTrusted: trustedProxies.some(
      ([base, prefixLength]) => base.kind() === ip.kind() && ip.match(base, prefixLength),
    ),
    isPrivate: privateRanges.has(ip.range()),
  };
}

function withoutPort(text: string): string {
  const [, bracketed, dotted] = portForm.exec(text) ?? [];
  return bracketed ?? dotted ?? text;
}

function addressOf(ip: Ip): ClientAddress {
  const [parts, { width, client, around }] = 'octets' in ip ? [ip.octets, IPV4] : [ip.parts, IPV6];
  return { key: groupsOf(parts, width, client), coarseKey: groupsOf(parts, width, around) };
}

function groupsOf(parts: readonly number[], width: number, length: number): string {
  const kept = parts.slice(0, Math.ceil(length / width));
  const masked = kept.map((part, n) => part & (-1 << Math.max(0, (n + 1) * width - length)));
  return width === IPV4.width ? masked.join('.') : masked.map((part) => part.toString(16)).join(':');
}

/** Formats a client's network for firewalls and fail2ban: `192.0.2.1`, or `2001:db8:0:1::/64`. */
export const formatClient = (key: string): string => (key.includes(':') ? `${key}::/${IPV6.client}` : key);

export const siteOf = (key: string): string => key.split(':').slice(0, IPV6_SITE_GROUPS).join(':');

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an IPv4 address of four decimal parts, or an IPv6 address without its zone; null for anything else. An IPv4 address
 * mapped into IPv6 stays IPv6: `unmapped` converts it.
 */
export function parseIp(text: string): Ip | null {
  if (isIPv4(text)) return ipaddr.parse(text);
  if (!isIPv6(text)) return null;
  const [withoutZone = ''] = text.split('%');
  // Without the zero, ipaddr.js would read an address such as `::1.2.3.4` as another one, the mapped `::ffff:1.2.3.4`.
  return ipaddr.parse(withoutZone.replace(/^::(?=\d+\.)/, '0::'));
}

/** Reports whether an address is on the public Internet: not private, local or reserved, and if it is IPv6, in 2000::/3. */
export function isPublic(text: string): boolean {
  const bits = parseIp(text);
  const ip = bits && unmapped(bits);
  if (ip?.range() !== 'unicast') return false;
  return 'octets' in ip || ip.parts[0]! >> 13 === 1;
}

/**
 * Converts an IPv4 address that is mapped into IPv6 to IPv4; returns any other address as it is. Reads the bits instead of the
 * notation (RFC 4291 §2.5.5.2).
 */
export const unmapped = (ip: Ip): Ip =>
  ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip;
