import { BlockList, isIP } from 'node:net';
import { Refusal } from '../base/refusal.ts';

const LOCAL = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  LOCAL.addSubnet(network, prefix, 'ipv4');
LOCAL.addAddress('::1', 'ipv6');
LOCAL.addSubnet('fc00::', 7, 'ipv6');

const METADATA = new BlockList();
METADATA.addSubnet('169.254.0.0', 16, 'ipv4');
METADATA.addSubnet('fe80::', 10, 'ipv6');
METADATA.addAddress('fd00:ec2::254', 'ipv6');
METADATA.addAddress('100.100.100.200', 'ipv4');
const METADATA_NAME =
  /^(?:metadata|instance-data|metadata\.google\.internal|instance-data\.ec2\.internal)\.?$/;

/** Reports whether a URL's host is this machine or a private address. Host names other than localhost are not looked up. */
const isLocalHost = (hostname: string): boolean => hostname === 'localhost' || isIn(LOCAL, hostname);

/**
 * Reports whether a URL's host is a link-local address or a cloud's metadata service, which gives out keys. Requests there must
 * be refused: no model or payment provider can be there.
 */
const isMetadataHost = (hostname: string): boolean =>
  isIn(METADATA, hostname) || METADATA_NAME.test(hostname);

/**
 * Reports whether a server that listens on this host can be reached only from this machine. An IPv6 address may be in brackets.
 */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);

function isIn(list: BlockList, hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The words for a refusal of an address: an example of a valid one, advice about a login in it, the service's name, the secret
 * that must not be sent unencrypted, and what to do instead.
 */
type ServiceWords = {
  readonly example: string;
  readonly login: string;
  readonly service: string;
  readonly sent: string;
  readonly remedy: string;
};

/**
 * Reads the address of a service to which a secret is sent, without slashes at its end. Refuses other schemes than http and
 * https, a login, a query, a fragment, and the metadata service of a cloud. Refuses unencrypted http unless it is allowed or
 * the host is local.
 */
export function parseServiceUrl(text: string, words: ServiceWords, isHttpAllowed = false): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw Refusal.invalid(`Cannot use this address: give a URL such as ${words.example}`);
  const { hostname } = url;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw Refusal.invalid(
      `Cannot use an address with a user name, password, query or fragment: ${words.login}`,
    );
  if (isMetadataHost(hostname))
    throw Refusal.invalid(
      `Cannot ask ${words.service} at "${hostname}": it is a link-local or cloud metadata address`,
    );
  if (url.protocol === 'http:' && !isHttpAllowed && !isLocalHost(hostname))
    throw Refusal.invalid(`Cannot send ${words.sent} unencrypted to "${hostname}": ${words.remedy}`);
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/**
 * Adds a model's host to NO_PROXY if it is local or uses plain http, so that HTTP_PROXY does not send a book to another
 * machine.
 */
export function bypassProxy(url: string): void {
  const { hostname, protocol } = new URL(url);
  if (protocol !== 'http:' && !isLocalHost(hostname)) return;
  const without = (process.env['NO_PROXY'] ?? process.env['no_proxy'] ?? '').split(',').filter(Boolean);
  if (!without.includes(hostname))
    process.env['NO_PROXY'] = process.env['no_proxy'] = [...without, hostname].join(',');
}
