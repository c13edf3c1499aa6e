import { afterAll } from 'bun:test';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** One request as Stripe would see it: the fields of the query or the form by their names in brackets. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

const KINDS: Readonly<Record<string, string>> = {
  products: 'prod',
  prices: 'price',
  payment_links: 'plink',
  webhook_endpoints: 'we',
};

/**
 * An account at Stripe with what is made in it, by the rules that its API's reference states: ids, defaults, expansion, lists of
 * ten with `has_more`, answers that repeat with their Idempotency-Key. `isTest` is its test mode.
 */
export async function openStripeAccount({ isTest = false, perPage = 10 } = {}) {
  const objects = new Map<string, Json>();
  const answered = new Map<string, string>();
  const asked: Asked[] = [];
  let made = 0;
  /** `cut` ends the connection from the n-th write on, before or after it is done; `answer` replaces an answer. */
  const faults: {
    cut: { readonly write: number; readonly isDone: boolean } | null;
    answer: ((request: Asked) => { status: number; body: string } | null) | null;
  } = { cut: null, answer: null };
  const writes = (): readonly Asked[] => asked.filter(({ method }) => method !== 'GET');
  const list = (kind: string) =>
    [...objects.values()].filter(({ object }) => object === kind.slice(0, -1)).toReversed();
  const shown = (object: Json, fields: Asked['fields']): Json => {
    const { secret: _, line_items: lines, ...others } = object;
    const expands = Object.entries(fields).some(
      ([name, value]) => name.startsWith('expand') && value.startsWith('line_items'),
    );
    if (!expands) return others;
    const withProduct = Object.values(fields).some((value) => value.endsWith('price.product'));
    const data = (lines as { price: string }[]).map(({ price, ...line }) => {
      const found = objects.get(price)!;
      const product = withProduct ? objects.get(found['product'] as string) : found['product'];
      return { ...line, price: { ...found, product } };
    });
    return { ...others, line_items: { object: 'list', data } };
  };
  const fail = (status: number, message: string) => ({ status, body: { error: { message } } });

  function create(kind: string, sent: Json): Json {
    made += 1;
    const id = (sent['id'] as string | undefined) ?? `${KINDS[kind]}_${made}`;
    const defaults: Readonly<Record<string, Json>> = {
      products: {},
      prices: { recurring: null, tax_behavior: 'unspecified' },
      payment_links: { url: `https://buy.stripe.com/${id}`, allow_promotion_codes: false },
      webhook_endpoints: { status: 'enabled', secret: `whsec_of_${id}` },
    };
    const object: Json = {
      ...{ id, object: kind.slice(0, -1), active: true, livemode: !isTest, metadata: {} },
      ...defaults[kind],
      ...sent,
      ...(kind === 'prices' ? amountsOf(sent) : {}),
    };
    if (kind === 'payment_links') {
      object['line_items'] = (sent['line_items'] as Json[]).map(({ price, price_data: data, ...line }) => ({
        id: `li_${id}`,
        adjustable_quantity: null,
        ...line,
        price: price ?? createPrice(data as Json),
        quantity: Number(line['quantity']),
      }));
      const [line] = object['line_items'] as { price: string }[];
      object['currency'] = objects.get(line!.price)!['currency'];
    }
    objects.set(id, object);
    return object;
  }

  function createPrice({ product_data: product, ...price }: Json): unknown {
    const of = price['product'] ?? create('products', product as Json)['id'];
    return create('prices', { ...price, product: of })['id'];
  }

  function act({ method, path, fields, headers }: Asked): { status: number; body: unknown } {
    const [, , kind = '', id] = path.split('/');
    if (headers['authorization'] === 'Bearer rk_live_weak' && method !== 'GET')
      return fail(403, "The provided key 'rk_live_weak' does not have the required permissions");
    if (!(kind in KINDS)) return fail(404, `Unrecognized request URL (${method}: ${path})`);
    const object = id === undefined ? undefined : objects.get(decodeURIComponent(id));
    if (id !== undefined && object === undefined) return fail(404, `No such ${kind}: '${id}'`);
    if (method === 'GET' && object !== undefined) return { status: 200, body: shown(object, fields) };
    if (method === 'GET') {
      const all = list(kind).filter(
        (one) =>
          (fields['product'] === undefined || one['product'] === fields['product']) &&
          (fields['active'] === undefined || String(one['active']) === fields['active']),
      );
      const from = all.findIndex((one) => one['id'] === fields['starting_after']) + 1;
      const data = all.slice(from, from + perPage).map((one) => shown(one, {}));
      return { status: 200, body: { object: 'list', data, has_more: from + perPage < all.length } };
    }
    if (method === 'DELETE') {
      objects.delete(object!['id'] as string);
      return { status: 200, body: { id: object!['id'], deleted: true } };
    }
    const sent = nest(fields);
    if (object === undefined) {
      if (objects.has(sent['id'] as string)) return fail(400, 'Product already exists.');
      const body = create(kind, sent);
      return { status: 200, body: kind === 'webhook_endpoints' ? body : shown(body, fields) };
    }
    if (sent['disabled'] !== undefined) sent['status'] = sent['disabled'] === true ? 'disabled' : 'enabled';
    delete sent['disabled'];
    for (const { id: line, ...changed } of (sent['line_items'] ?? []) as Json[])
      Object.assign(
        (object['line_items'] as Json[]).find((one) => one['id'] === line)!,
        changed,
      );
    delete sent['line_items'];
    Object.assign(object, sent);
    return { status: 200, body: shown(object, fields) };
  }

  const server = createServer(async (request, response) => {
    const one = await readAsked(request);
    asked.push(one);
    const isWrite = one.method !== 'GET';
    const isCut = isWrite && faults.cut !== null && faults.cut.write <= writes().length;
    if (isCut && faults.cut?.isDone === false) return request.socket.destroy();
    const key = String(one.headers['idempotency-key'] ?? '');
    const replaced = faults.answer?.(one) ?? null;
    const known = answered.get(key);
    const answer = replaced ?? (known === undefined ? act(one) : { status: 200, body: known });
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    if (key !== '' && replaced === null && answer.status === 200) answered.set(key, text);
    if (isCut) return request.socket.destroy();
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    writes,
    faults,
    list,
    create,
    find: (id: string): Json => objects.get(id)!,
    /** A day later no answer is repeated. */
    forget: () => answered.clear(),
    /** Everything in the account, without what differs from run to run. */
    state: () => Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, list(kind)])),
  };
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
  const fields = request.method === 'GET' ? searchParams : new URLSearchParams(text);
  return {
    method: request.method ?? '',
    path: pathname,
    fields: Object.fromEntries([...fields].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    headers: request.headers,
  };
}

/** A price's amount; a price that buyers choose has none. */
function amountsOf({ unit_amount: amount, custom_unit_amount: custom }: Json): Json {
  const { minimum, preset } = (custom ?? {}) as Json;
  return custom === undefined
    ? { unit_amount: Number(amount), custom_unit_amount: null }
    : {
        unit_amount: null,
        custom_unit_amount: { minimum: Number(minimum), maximum: null, preset: Number(preset) },
      };
}

/** `a[b]=1&c[0]=2` as an object. */
function nest(fields: Asked['fields']): Json {
  const root: Json = {};
  for (const [name, text] of Object.entries(fields)) {
    const path = name.replaceAll(']', '').split('[');
    const value = text === 'true' ? true : text === 'false' ? false : text;
    let place: Json = root;
    for (const [n, key] of path.entries())
      if (n === path.length - 1) place[key] = value;
      else place = (place[key] ??= /^\d+$/.test(path[n + 1]!) ? [] : {}) as Json;
  }
  return root;
}
