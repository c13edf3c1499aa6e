import { expect, test } from 'bun:test';
import Stripe from 'stripe';
import { createSetupApi } from '../../../src/selling/providers/setup.ts';
import { stripeSetup } from '../../../src/selling/providers/setup-stripe.ts';
import { STRIPE_EVENTS } from '../../../src/selling/providers/stripe.ts';
import { type Asked, openStripeAccount } from './stripe-account.ts';

const [WEBHOOK, RETURN] = [
  'https://stall.example.org/webhooks/stripe',
  'https://stall.example.org/claim/stripe?id={CHECKOUT_SESSION_ID}',
];
const KEY = 'rk_live_hush';
const WANTED = {
  slug: 'herons',
  title: 'Herons & Söhne',
  description: '',
  unitAmountCents: 1900,
  currency: 'usd',
  ids: [] as readonly string[],
  checkoutUrl: null,
  returnUrl: RETURN,
  countsCopies: false,
};
const SECRET = { begin: async () => {}, keep: async () => {}, make: () => '' };

/** A request as Stripe reads it. */
const heard = ({ method, path, fields, headers }: Asked) => ({
  ...{ method, path, fields },
  version: headers['stripe-version'],
  authorization: headers['authorization'],
  type: method === 'POST' ? headers['content-type'] : null,
});

test("every request is the one that Stripe's own library makes for the same act", async () => {
  const [ours, theirs] = [await openStripeAccount(), await openStripeAccount()];
  const api = createSetupApi('stripe', { key: KEY, url: ours.url });
  const sdk = new Stripe(KEY, {
    host: '127.0.0.1',
    port: Number(new URL(theirs.url).port),
    protocol: 'http',
    maxNetworkRetries: 0,
  });
  const enabled_events = [...STRIPE_EVENTS] as Stripe.WebhookEndpointCreateParams.EnabledEvent[];
  const after_completion = { type: 'redirect', redirect: { url: RETURN } } as const;
  const webhook = {
    url: WEBHOOK,
    enabled_events,
    api_version: '2026-10-28.endive',
    description: 'Bookstall',
  } as const;
  const webhooks = { url: WEBHOOK, events: STRIPE_EVENTS };

  await stripeSetup.setUpWebhook(api, webhooks, { ...SECRET, value: null }, false);
  await sdk.webhookEndpoints.list({ limit: 100 });
  const first = await sdk.webhookEndpoints.create(webhook);
  Object.assign(ours.find(first.id), { enabled_events: ['*'], status: 'disabled' });
  await stripeSetup.setUpWebhook(api, webhooks, { ...SECRET, value: 'whsec_1' }, false);
  await sdk.webhookEndpoints.list({ limit: 100 });
  await sdk.webhookEndpoints.update(first.id, { enabled_events, disabled: false });
  await stripeSetup.setUpWebhook(api, webhooks, { ...SECRET, value: 'whsec_1' }, true);
  await sdk.webhookEndpoints.list({ limit: 100 });
  await sdk.webhookEndpoints.create(webhook);
  await sdk.webhookEndpoints.del(first.id);

  const made = await stripeSetup.setUpItem(api, WANTED);
  await sdk.paymentLinks.list({ limit: 100 });
  const link = await sdk.paymentLinks.create({
    line_items: [
      {
        price_data: {
          currency: 'usd',
          unit_amount: 1900,
          tax_behavior: 'unspecified',
          product_data: { name: WANTED.title },
        },
        quantity: 1,
      },
    ],
    after_completion,
    metadata: { bookstall: 'herons 1900 usd' },
  });
  expect(made.id).toBe(link.id);
  const changed = { active: false, after_completion: { type: 'hosted_confirmation' } };
  Object.assign(ours.find(link.id), changed);
  await stripeSetup.setUpItem(api, { ...WANTED, ids: [link.id] });
  await sdk.paymentLinks.retrieve(link.id, { expand: ['line_items'] });
  await sdk.paymentLinks.update(link.id, { active: true, after_completion });
  const settings = {
    allow_promotion_codes: true,
    automatic_tax: { enabled: true, liability: null },
    billing_address_collection: 'required',
    tax_id_collection: { enabled: true, required: 'never' },
  } as const;
  Object.assign(ours.find(link.id), settings);
  const dearer = await stripeSetup.setUpItem(api, { ...WANTED, unitAmountCents: 2900, ids: [link.id] });
  await dearer.finish?.();
  const { data } = (await sdk.paymentLinks.retrieve(link.id, { expand: ['line_items'] })).line_items!;
  await sdk.paymentLinks.list({ limit: 100 });
  await sdk.paymentLinks.create({
    line_items: [
      {
        price_data: {
          currency: 'usd',
          unit_amount: 2900,
          tax_behavior: 'unspecified',
          product: String(data[0]!.price!.product),
        },
        quantity: 1,
      },
    ],
    after_completion,
    ...settings,
    automatic_tax: { enabled: true },
    metadata: { bookstall: 'herons 2900 usd', bookstall_replaces: link.id },
  });
  await sdk.paymentLinks.retrieve(link.id);
  await sdk.paymentLinks.update(link.id, { active: false });

  const copies = { ...WANTED, unitAmountCents: 2900, ids: [dearer.id!], countsCopies: true };
  await stripeSetup.setUpItem(api, copies);
  const priced = await sdk.paymentLinks.retrieve(dearer.id!, { expand: ['line_items'] });
  const adjustable_quantity = { enabled: true, minimum: 1, maximum: 500 };
  // Asked for by the metadata of the replacement.
  await sdk.paymentLinks.retrieve(link.id);
  const [line] = priced.line_items!.data;
  await sdk.paymentLinks.update(dearer.id!, { line_items: [{ id: line!.id, adjustable_quantity }] });
  await stripeSetup.setUpItem(api, copies);
  await sdk.paymentLinks.retrieve(dearer.id!, { expand: ['line_items'] });
  await sdk.paymentLinks.retrieve(link.id);
  await stripeSetup.setUpItem(api, { ...copies, slug: 'new', ids: [] });
  await sdk.paymentLinks.list({ limit: 100 });
  const price_data = { currency: 'usd', unit_amount: 2900, tax_behavior: 'unspecified' } as const;
  await sdk.paymentLinks.create({
    line_items: [
      {
        price_data: { ...price_data, product_data: { name: WANTED.title } },
        quantity: 1,
        adjustable_quantity,
      },
    ],
    after_completion,
    metadata: { bookstall: 'new 2900 usd' },
  });

  const chosen = { ...copies, unitAmountCents: 500, suggestedAmountCents: 1900 };
  const free = await stripeSetup.setUpItem(api, chosen);
  await sdk.paymentLinks.retrieve(dearer.id!, { expand: ['line_items'] });
  await sdk.paymentLinks.retrieve(link.id);
  await sdk.paymentLinks.list({ limit: 100 });
  const price = await sdk.prices.create({
    currency: 'usd',
    custom_unit_amount: { enabled: true, minimum: 500, preset: 1900 },
    tax_behavior: 'unspecified',
    product: String(data[0]!.price!.product),
  });
  const last = await sdk.paymentLinks.create({
    line_items: [{ price: price.id, quantity: 1 }],
    after_completion,
    ...settings,
    automatic_tax: { enabled: true },
    metadata: { bookstall: 'herons 500 usd 1900', bookstall_replaces: dearer.id! },
  });
  expect(free.id).toBe(last.id);
  await stripeSetup.setUpItem(api, { ...chosen, ids: [last.id] });
  await sdk.paymentLinks.retrieve(last.id, { expand: ['line_items'] });
  await sdk.paymentLinks.retrieve(dearer.id!);
  await sdk.paymentLinks.update(dearer.id!, { active: false });

  const keys = ours.asked.map(({ headers }) => headers['idempotency-key']);
  expect(ours.asked.map(heard)).toEqual(theirs.asked.map(heard));
  expect(keys.filter((key) => key !== undefined)).toHaveLength(5);
});
