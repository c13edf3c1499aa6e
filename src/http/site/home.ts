import { Elysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { Identity } from '../identity.ts';

/** `GET /`: says what this is, until the site is built. */
export function home(service: Service, identity: Identity) {
  return new Elysia()
    .use(identity)
    .get('/', () => page(service.stall().name, service.listItems({ after: undefined, limit: '100' }).items), {
      openDoor: true,
    });
}

type Item = ReturnType<Service['listItems']>['items'][number];

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

function page(stall: string, items: readonly Item[]): Response {
  const name = Bun.escapeHTML(stall);
  const list = items.map(
    (item) =>
      `<li><strong>${Bun.escapeHTML(item.title)}</strong>, a ${item.kind} by ${Bun.escapeHTML(item.publisher)}, ${price(item)}: <code>${item.slug}</code></li>`,
  );
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<h1>${name}</h1>
<p>A stall for books and agent skills. Readers and their agents install items as archives, read their files as JSON, and ask a book questions that are answered from its text alone.</p>
<ul>
${list.join('\n') || '<li>Nothing is on sale yet.</li>'}
</ul>
<p>The catalog is <a href="/api/items">/api/items</a>. A free item installs with <code>curl …/api/install/&lt;slug&gt; | tar -xz</code>; a paid one needs an API key of this stall.</p>
</html>
`;
  return new Response(body, { headers: { ...HEADERS, 'Content-Length': String(Buffer.byteLength(body)) } });
}

function price({ isFree, unitAmountCents, currency }: Item): string {
  if (isFree) return 'free';
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(unitAmountCents / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
