import { hasKeyForm } from '../access/key.ts';
import { quote } from '../item/problem.ts';
import { Refusal } from '../refusal.ts';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The origin of a stall's address: `stall.example.org` means https, a loopback host without a scheme http. Refuses all but an origin. */
export function parseAddress(text: string): string {
  if (hasKeyForm(text))
    throw refuse(
      'the address',
      'it holds a key; keep the key in BOOKSTALL_KEY, and revoke it if others may have seen it',
    );
  const url = parseUrl(text.includes('://') ? text : `https://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse(quote(text), 'give the address of a stall, such as https://stall.example.org');
  if (url.username !== '' || url.password !== '')
    throw refuse(quote(url.host), 'leave name and password out');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw refuse(quote(text), `nothing follows the host: ${url.origin}`);
  if (!text.includes('://') && LOOPBACK.test(url.hostname)) url.protocol = 'http:';
  return url.origin;
}

/** A URL, or null: URL.parse, which Node 20 lacks. */
export function parseUrl(text: string, base?: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

/** Whether a key sent to this origin could be read on the way. */
export function isPlainHttp(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

function refuse(what: string, remedy: string): Refusal {
  return new Refusal('invalid-request', `Cannot use ${what} as a stall: ${remedy}`);
}
