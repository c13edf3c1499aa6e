import type { SMTPServerOptions } from 'smtp-server';
import type { Config } from '../../src/platform/config/config.ts';
import { SHELF } from '../helpers/harness.ts';
import { openMailServer } from '../mailing/mail-server.ts';
import { openSellingStall, SOLD } from './selling-stall.ts';
import { completed, NOON, refund, type StripeEvent } from './providers/stripe-events.ts';

/** Noon of the events, in milliseconds. */
export const START = NOON * 1000;

/** A stall that sells `paid-book` by Stripe and sends mail to a real server, with a clock that only the test moves. */
export async function openClaimStall({
  sends = true,
  tellsSales = false,
  pause = 0,
  yaml = 'name: The Heron Stall\ncontact: help@example.org\n',
  config = {},
  mailServer = {},
}: {
  sends?: boolean;
  tellsSales?: boolean;
  pause?: number;
  yaml?: string;
  config?: Partial<Config>;
  mailServer?: SMTPServerOptions;
} = {}) {
  const server = await openMailServer(mailServer);
  let time = START;
  const now = (): number => time;
  const mail = {
    host: '127.0.0.1',
    port: server.port,
    encryption: 'none',
    login: null,
    from: 'stall@example.org',
    tellsSales,
    pause,
  } as const;
  const stall = await openSellingStall({
    files: { ...SHELF, ...SOLD, 'stall.yaml': yaml },
    config: { mail: sends ? mail : null, ...config },
    now,
  });
  const store = stall.app.stall.store;
  const { settle } = stall.app.stall.outbox;
  /** Delivers an event as Stripe does; its mails go out without being asked for. */
  const deliver = async (event: StripeEvent): Promise<void> => {
    const { status } = await stall.stripe(event);
    if (status !== 200) throw new Error(`The delivery was answered ${status}`);
  };
  /** The number of the order of a Checkout Session. */
  const orderOf = async (name: string): Promise<number> =>
    store.findOrderByKey('stripe', `cs_live_${name}`)?.id ?? 0;
  return {
    ...stall,
    server,
    store,
    now,
    pass: (milliseconds: number) => (time += milliseconds),
    settle,
    deliver,
    /** A sale; the number of its order. */
    async buy(name: string, email = 'ada@example.org', more = {}): Promise<number> {
      await deliver(
        completed(name, Math.floor((now() - START) / 1000), { customer_details: { email }, ...more }),
      );
      return orderOf(name);
    },
    giveBack: (name: string) => deliver(refund('refund.created', name, Math.floor((now() - START) / 1000))),
    browser: () => openBrowser(stall.fetch),
    /** The items a key may install. */
    install: async (key: string) =>
      (await stall.fetch('/api/install/paid-book', { headers: { Authorization: `Bearer ${key}` } })).status,
  };
}

export type ClaimStall = Awaited<ReturnType<typeof openClaimStall>>;

/** A browser that keeps cookies and sends forms of the stall's own pages, without a script. */
export function openBrowser(fetch: (path: string, init?: RequestInit) => Promise<Response>) {
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
  const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  const comeBack = async (name: string, provider = 'stripe') => {
    await send(`/claim/${provider}?id=cs_live_${name}`);
    return send('/claim');
  };
  const makeKey = async (answer: Awaited<ReturnType<typeof send>>) => {
    const yours = answer.headers.get('location') ?? '';
    const order = /\?(?:order|bought)=([\w-]{11})$/.exec(yours)?.[1];
    if (order === undefined) return answer;
    const { html } = await send(`/claim/yours?order=${order}`);
    const form = /<form[^>]*action="\/dashboard\/api-keys\/create".*?<\/form>/s.exec(html)?.[0] ?? '';
    const hidden = form
      .matchAll(/name="(\w+)" value="([^"]*)"/g)
      .map(([, name = '', value = '']) => [name, value]);
    return post('/dashboard/api-keys/create', Object.fromEntries(hidden));
  };
  return {
    cookies,
    open: (path: string) => send(path),
    post,
    /** Sends a form that claims; the page after paying then makes a key, which its answer shows. */
    claim: async (path: string, fields: Readonly<Record<string, string>> = {}) =>
      makeKey(await post(path, fields)),
    /** Comes back from the checkout, which makes an account, and makes a key as `claim` does. */
    arrive: async (name: string) => makeKey(await comeBack(name)),
    /** The page that a provider sends its buyers to, and the one that follows. */
    comeBack,
  };
}

export const PASSWORD = 'nine herons in the reeds';

/** The field in which a new password is typed. */
export const chosen = (password = PASSWORD) => ({ password });

export const keyOf = (html: string): string => /svc_[0-9A-Za-z]{38}/.exec(html)?.[0] ?? '';

/** The secret of the link in a mail. */
export const secretOf = (text = ''): string => /\/\w+#([\w-]{43})/.exec(text)?.[1] ?? '';
