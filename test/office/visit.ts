import { openStall } from '../helpers/harness.ts';

type Opened = Awaited<ReturnType<typeof openStall>>;

/** Opens a stall whose owner is signed in with a browser. */
export async function openAdmin(setting: Parameters<typeof openStall>[0] = {}) {
  const stall = await openStall(setting);
  const owner = await stall.app.admin.accounts.add('owner@example.org', true);
  const cookie = await stall.signIn(owner.email);
  return { stall, owner, cookie, ...visitAs(stall, cookie) };
}

/** The requests of a signed-in browser: opens pages and sends forms; follows no redirect. */
export function visitAs(stall: Pick<Opened, 'fetch'>, cookie: Readonly<Record<string, string>>) {
  const read = async (response: Response) => ({
    status: response.status,
    location: response.headers.get('location'),
    html: await response.text(),
  });
  return {
    open: async (path: string) => read(await stall.fetch(path, { headers: cookie, redirect: 'manual' })),
    send: async (path: string, fields: Readonly<Record<string, string>> = {}) =>
      read(
        await stall.fetch(path, {
          method: 'POST',
          headers: { ...cookie, 'Sec-Fetch-Site': 'same-origin' },
          body: new URLSearchParams(fields),
          redirect: 'manual',
        }),
      ),
  };
}

/** A page's text without its markup, with each run of white space as one space. */
export function wordsOf(html: string): string {
  const text = html.replace(/<(script|style)[^>]*>.*?<\/\1>/gs, '').replace(/<[^>]+>/g, ' ');
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ');
}
