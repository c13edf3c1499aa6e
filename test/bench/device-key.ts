import { createHash } from 'node:crypto';
import { hidden } from '../platform/site/visitor.ts';

/** Makes a key for an e-reader on its page, as the session of a cookie; the MD5 that KOReader sends as `x-auth-key`. */
export async function makeDeviceKey(url: string, cookie: string): Promise<string> {
  const page = `${url}/dashboard/devices`;
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
  const once = hidden(await (await fetch(page, { headers })).text(), 'once');
  const answer = await fetch(page, { method: 'POST', headers, body: new URLSearchParams({ once }) });
  const [key] = /\b[a-z2-7]{16}\b/.exec((await answer.text()).replaceAll(/<[^>]+>/g, ' ')) ?? [];
  if (key === undefined) throw new Error(`${page} answered ${answer.status} without a key`);
  return createHash('md5').update(key).digest('hex');
}
