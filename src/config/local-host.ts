import { BlockList, isIP } from 'node:net';

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

/** Whether a URL's host is this machine or a private address. Names other than localhost are not resolved. */
export function isLocalHost(hostname: string): boolean {
  return hostname === 'localhost' || isIn(LOCAL, hostname);
}

/** Whether a URL's host is a link-local address, or one where clouds keep the keys of a machine: no service is there. */
export function isMetadataHost(hostname: string): boolean {
  return isIn(METADATA, hostname) || METADATA_NAME.test(hostname);
}

/** Whether a host to listen on can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function isIn(list: BlockList, hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
