import { afterAll } from 'bun:test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Json = Record<string, unknown>;

/** One request as a provider would see it; `sent` is its JSON or form, and `fields` its query. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly sent: Json;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** An API that keeps what it is asked. `cut` ends the connection at the n-th write, after it was done. */
export async function openRecordingApi(act: (asked: Asked) => unknown) {
  const asked: Asked[] = [];
  const faults: { cut: number | null } = { cut: null };
  const writes = (): readonly Asked[] => asked.filter(({ method }) => method !== 'GET');
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const isJson = String(request.headers['content-type']).includes('json');
    const sent = text === '' ? {} : isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
    const { method = '', headers } = request;
    const one = {
      method,
      path: pathname,
      fields: Object.fromEntries(searchParams),
      sent: sent as Json,
      headers,
    };
    asked.push(one);
    const answer = act(one);
    if (method !== 'GET' && faults.cut === writes().length) return request.socket.destroy();
    if (answer === null) response.writeHead(204).end();
    else
      response
        .writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(answer ?? { detail: 'Not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, writes, faults };
}

/** An organization at Polar, by the rules of https://polar.sh/docs/api-reference. */
export async function openPolarOrganization() {
  const kinds: Readonly<Record<string, Json[]>> = { products: [], 'checkout-links': [], endpoints: [] };
  let made = 0;
  const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const priced = (prices: unknown, before: readonly Json[]): readonly Json[] =>
    (prices as Json[]).map((price) =>
      typeof price['id'] === 'string'
        ? before.find(({ id }) => id === price['id'])!
        : { tax_behavior: null, ...price, id: `price-${(made += 1)}` },
    );
  const create = (kind: string, sent: Json): Json => {
    made += 1;
    const defaults: Readonly<Record<string, Json>> = {
      products: { is_archived: false, is_recurring: false },
      'checkout-links': { url: `https://buy.polar.sh/polar_cl_${made}`, client_secret: `polar_cl_${made}` },
      endpoints: { enabled: true, secret: `polar_whs_${made}` },
    };
    const object: Json = { metadata: {}, ...sent, ...defaults[kind], id: idOf(made) };
    if (kind === 'products') object['prices'] = priced(sent['prices'], []);
    if (kind === 'checkout-links') object['products'] = (sent['products'] as string[]).map((id) => ({ id }));
    kinds[kind]!.push(object);
    return object;
  };
  const api = await openRecordingApi(({ method, path, fields, sent }) => {
    const [, kind = '', slash, id, act] =
      /^\/v1\/(?:webhooks\/)?([\w-]+)(\/?)([\w-]*)(\/secret)?$/.exec(path) ?? [];
    const objects = kinds[kind];
    // Other addresses answer 307, which is not followed.
    if (objects === undefined || (id === '' && (slash === '/') === (kind === 'endpoints'))) return undefined;
    if (id === '' && method === 'POST') return create(kind, sent);
    if (id === '') {
      const items = objects.filter(
        ({ metadata, products }) =>
          (fields['metadata[bookstall]'] ?? (metadata as Json)['bookstall']) ===
            (metadata as Json)['bookstall'] &&
          (kind !== 'checkout-links' ||
            (products as Json[]).some((one) => one['id'] === fields['product_id'])),
      );
      return { items, pagination: { total_count: items.length, max_page: 1 } };
    }
    const object = objects.find((one) => one['id'] === id);
    if (object === undefined || method === 'GET') return object;
    if (act !== undefined) return Object.assign(object, { secret: `polar_whs_${(made += 1)}` });
    const prices =
      sent['prices'] === undefined ? {} : { prices: priced(sent['prices'], object['prices'] as Json[]) };
    return Object.assign(object, sent, prices);
  });
  return { ...api, kinds, create, secretOf: () => String(kinds['endpoints']![0]!['secret']) };
}

/**
 * A store at Lemon Squeezy with the variant 510001, by the answers in https://docs.lemonsqueezy.com/api/variants/retrieve-variant,
 * and /api/webhooks/create-webhook.
 */
export async function openLemonStore({ isTest = false, price = 1900, currency = 'USD' } = {}) {
  const webhooks: Json[] = [];
  const secrets = new Map<unknown, unknown>();
  let made = 0;
  const store = { type: 'stores', id: '1', attributes: { name: 'Herons', currency } };
  const variant = { product_id: 7, status: 'pending', price, is_subscription: false, test_mode: isTest };
  const product = {
    store_id: 1,
    buy_now_url: 'https://herons.lemonsqueezy.com/checkout/buy/0a-1b',
    status: 'published',
  };
  const api = await openRecordingApi(({ method, path, sent }) => {
    const [, , kind, id] = path.split('/');
    const data = sent['data'] as Json | undefined;
    if (kind === 'stores') return { data: id === undefined ? [store] : id === '1' ? store : undefined };
    if (kind === 'variants')
      return id === '510001'
        ? {
            data: { type: 'variants', id, attributes: variant },
            included: [{ type: 'products', id: '7', attributes: product }],
          }
        : undefined;
    if (kind !== 'webhooks') return undefined;
    if (id === undefined && method === 'GET') return { data: webhooks };
    if (id === undefined) {
      made += 1;
      const { secret, ...attributes } = data!['attributes'] as Json;
      secrets.set(String(made), secret);
      webhooks.push({ type: 'webhooks', id: String(made), attributes: { ...attributes, test_mode: isTest } });
      return { data: webhooks.at(-1) };
    }
    const at = webhooks.findIndex((one) => one['id'] === id);
    if (at === -1) return undefined;
    if (method === 'DELETE') return (webhooks.splice(at, 1), null);
    Object.assign(webhooks[at]!['attributes'] as Json, data!['attributes']);
    return { data: webhooks[at] };
  });
  return { ...api, kinds: { webhooks }, variant, secretOf: () => String(secrets.get(webhooks[0]!['id'])) };
}

/** An account at Gumroad with one product, by the answers in https://gumroad.com/api#products and #resource-subscriptions. */
export async function openGumroadAccount() {
  const subscriptions: Json[] = [];
  let made = 0;
  const product = {
    id: 'Ex4mple==',
    published: true,
    price: 1900,
    currency: 'usd',
    short_url: 'https://ada.gumroad.com/l/herons',
  };
  const api = await openRecordingApi(({ method, path, fields, sent }) => {
    const [, , kind, id] = path.split('/').map(decodeURIComponent);
    if (kind === 'products') return id === product.id ? { success: true, product } : undefined;
    if (kind !== 'resource_subscriptions') return undefined;
    if (method === 'GET')
      return {
        success: true,
        resource_subscriptions: subscriptions.filter(
          (one) => one['resource_name'] === fields['resource_name'],
        ),
      };
    if (method === 'PUT') {
      if (!/^\w+$/.test(String(sent['resource_name'])))
        return { success: false, message: 'Unable to subscribe.' };
      made += 1;
      subscriptions.push({ id: `G_${made}==`, ...sent });
      return { success: true, resource_subscription: subscriptions.at(-1) };
    }
    const at = subscriptions.findIndex((one) => one['id'] === id);
    if (at === -1) return undefined;
    subscriptions.splice(at, 1);
    return { success: true, message: 'The resource_subscription was deleted successfully.' };
  });
  const secretOf = () => String(subscriptions[0]!['post_url']).split('/').at(-1)!;
  return { ...api, kinds: { subscriptions }, product, secretOf };
}
