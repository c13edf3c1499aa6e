/** An address of another site or mailbox as a URI (RFC 3986), which is stricter than what browsers take; null if it cannot be written as one. */
export function asUri(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^(?:https?|mailto):$/.test(url.protocol)) return null;
  const { origin, host, username } = url;
  if (url.protocol === 'mailto:') return `mailto:${encoded(url.href.slice(7))}`;
  if (username !== '' || !HOST.test(host)) return null;
  const hash = url.hash === '' ? '' : `#${encoded(url.hash.slice(1)).replaceAll('#', '%23')}`;
  return origin + encoded(url.pathname + url.search) + hash;
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d+)?$/;
/** The characters that must be escaped in a path or a query. */
const UNSAFE = /%(?![0-9a-fA-F]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu;

const encoded = (text: string): string =>
  text.toWellFormed().replace(UNSAFE, (found) => encodeURIComponent(found));
