import type { Stall } from '../../helpers/harness.ts';

type Fields = Readonly<Record<string, string>>;

/** A signed-in visitor without a browser: reads pages as text with their entities resolved, and sends forms as a browser does. */
export function createVisitor(stall: Stall, cookie: { readonly Cookie: string }) {
  const read = async (response: Response) => {
    const html = await response.text();
    return { status: response.status, headers: response.headers, html, text: textOf(html) };
  };
  return {
    cookie,
    open: async (path: string) =>
      read(await stall.fetch(path, { headers: { ...cookie, Accept: 'text/html' }, redirect: 'manual' })),
    send: async (path: string, fields: Fields = {}) =>
      read(
        await stall.fetch(path, {
          method: 'POST',
          headers: { ...cookie, Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
          body: new URLSearchParams(fields),
          redirect: 'manual',
        }),
      ),
  };
}

/** The value of a page's hidden field. */
export function hidden(html: string, name: string): string {
  return new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
}

/** The value of a text field. */
export function typedIn(html: string, name: string): string | null {
  const [, value] = new RegExp(`<input [^>]*\\bname="${name}"[^>]*? value(?:="([^"]*)"|/)`).exec(html) ?? [
    null,
  ];
  return value === null ? null : resolve(value ?? '');
}

/** The first API key in a text. */
export function keyIn(text: string): string {
  return /svc_[0-9A-Za-z]{38}/.exec(text)?.[0] ?? '';
}

/** The links of a page's pager. */
export function pagesBeside(html: string): { readonly newer: string | null; readonly older: string | null } {
  const href = (rel: string) =>
    new RegExp(`<a rel="${rel}" href="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null;
  return { newer: href('prev'), older: href('next') };
}

/** A page's text, without its markup. */
function textOf(html: string): string {
  const blocks = html.replace(/<\/?(?:a|bdi|code|span|time)\b[^>]*>/g, '').replace(/<[^>]+>/g, ' ');
  return resolve(blocks).replace(/\s+/g, ' ');
}

function resolve(text: string): string {
  return text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}

const ENTITIES: Fields = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
