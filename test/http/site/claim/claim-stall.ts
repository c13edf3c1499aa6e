import { afterAll } from 'bun:test';
import type { Config } from '../../../../src/config.ts';
import { openStore } from '../../../../src/store/store.ts';
import { itemYaml, openStall, SHELF } from '../../../harness.ts';
import { openMailServer } from '../../../mail/mail-server.ts';
import { completed, NOON, refund, type StripeEvent } from '../../../sales/stripe-events.ts';

/** Noon of the events, in milliseconds. */
export const START = NOON * 1000;

const GOODS = { kind: 'book', itemKey: 'paid-id', slug: 'paid-book' } as const;

/** A stall that sells `paid-book` by Stripe and sends mail to a real server, with a clock that only the test moves. */
export async function openClaimStall({
  sends = true,
  yaml = 'name: The Heron Stall\ncontact: help@example.org\n',
  config = {},
}: { sends?: boolean; yaml?: string; config?: Partial<Config> } = {}) {
  const server = await openMailServer();
  let time = START;
  const now = (): number => time;
  const mail = {
    host: '127.0.0.1',
    port: server.port,
    encryption: 'none',
    login: null,
    from: 'stall@example.org',
  } as const;
  const sold = itemYaml({ id: 'paid-id', title: 'The paid book', unitAmountCents: 1900 });
  const stall = await openStall({
    files: { ...SHELF, 'books/paid-book/item.yaml': sold, 'stall.yaml': yaml },
    config: { mail: sends ? mail : null, ...config },
    now,
  });
  const store = await openStore(stall.data);
  afterAll(store.close);
  const offer = { provider: 'stripe', product: 'plink_paid', bundle: null, items: [GOODS], least: null };
  const settings = { grace: 0, mail: sends ? 'queued' : 'manual', tellsSales: false } as const;
  await store.write('setOffers', { offers: [offer], settings, at: now() });

  const { outbox } = stall.app.service;
  const settle = async (): Promise<void> => {
    outbox.wake();
    await outbox.settle();
  };
  const deliver = async (event: StripeEvent) => {
    const body = new TextEncoder().encode(JSON.stringify(event));
    const arrival = {
      provider: 'stripe',
      mode: 'live',
      origin: 'webhook',
      body,
      eventId: null,
      at: now(),
    } as const;
    const { orderIds } = await store.write('addSaleEvent', arrival);
    await settle();
    return orderIds[0] ?? 0;
  };
  return {
    ...stall,
    server,
    store,
    now,
    pass: (milliseconds: number) => (time += milliseconds),
    settle,
    deliver,
    /** A sale; the number of its order. */
    buy: (name: string, email = 'ada@example.org', more = {}) =>
      deliver(completed(name, (now() - START) / 1000, { customer_details: { email }, ...more })),
    giveBack: (name: string) => deliver(refund('refund.created', name, (now() - START) / 1000)),
    browser: () => openBrowser(stall.fetch),
    /** What a key may install. */
    install: async (key: string) =>
      (await stall.fetch('/api/install/paid-book', { headers: { Authorization: `Bearer ${key}` } })).status,
  };
}

export type ClaimStall = Awaited<ReturnType<typeof openClaimStall>>;

/** A browser that keeps cookies and sends forms of the stall's own pages, without a script. */
function openBrowser(fetch: (path: string, init?: RequestInit) => Promise<Response>) {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Accept: 'text/html', ...(Cookie === '' ? {} : { Cookie }), ...init.headers };
    const response = await fetch(path, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const html = await response.text();
    const text = html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
    return { status: response.status, headers: response.headers, html, text };
  };
  return {
    cookies,
    open: (path: string) => send(path),
    post: (path: string, fields: Readonly<Record<string, string>> = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams(fields),
      }),
    /** The page that a provider sends its buyers to, and the one that follows. */
    async comeBack(name: string, provider = 'stripe') {
      await send(`/claim/${provider}?id=cs_live_${name}`);
      return send('/claim');
    },
  };
}

export const PASSWORD = 'nine herons in the reeds';

/** The fields in which a new password is typed. */
export const chosen = (password = PASSWORD) => ({ password, again: password });

export const keyOf = (html: string): string => /svc_[0-9A-Za-z]{38}/.exec(html)?.[0] ?? '';

/** The secret of the link in a mail. */
export const secretOf = (text = ''): string => /\/\w+#([\w-]{43})/.exec(text)?.[1] ?? '';
