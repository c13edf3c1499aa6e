import { hasKeyForm } from '../access/key.ts';
import { quote } from '../item/problem.ts';
import { Refusal } from '../refusal.ts';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The origin of a stall's address. Without a scheme, a loopback host means http and any other https. Refuses anything but an origin. */
export function parseAddress(text: string): string {
  if (hasKeyForm(text))
    throw refuse(
      'the address',
      'it holds a key; keep the key in BOOKSTALL_KEY, and revoke it if others may have seen it',
    );
  const url = parseUrl(text.includes('://') ? text : `https://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse(
      text.includes('@') ? 'an address with a name or password' : quote(text),
      'give the address of a stall, such as https://stall.example.org',
    );
  if (url.username !== '' || url.password !== '')
    throw refuse(quote(url.host), 'leave name and password out');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw refuse(quote(text), `leave out everything after the host: ${url.origin}`);
  if (!text.includes('://') && LOOPBACK.test(url.hostname)) url.protocol = 'http:';
  return url.origin;
}

/** A URL, or null: URL.parse, which Node 20 lacks. */
export function parseUrl(text: string, base?: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

/** Whether a key sent to this origin travels unencrypted over a network. */
export function isPlainHttp(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

function refuse(what: string, remedy: string): Refusal {
  return new Refusal('invalid-request', `Cannot use ${what} as a stall: ${remedy}`);
}
