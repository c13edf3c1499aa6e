// Receives the webhook requests of payment providers; handles events that wait, failed or are read again; asks providers
// for events that never arrived; and stores which product ids sell which items.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../platform/base/principal.ts';
import { DAY, HOUR, MINUTE } from '../platform/base/duration.ts';
import {
  DEMO,
  isPaymentProvider,
  isSigning,
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  PINGING,
  PROVIDER_NAMES,
  type SaleSource,
} from '../words/payment-provider.ts';
import { askProvider, HistoryError, listHistory } from './providers/provider-api.ts';
import { parseBody, SALE_PROVIDERS, type SaleProvider, type WebhookDelivery } from './providers/provider.ts';
import { SETUPS } from './providers/setup.ts';
import type { ProviderApi, SalesConfig, WebhookSecrets } from '../platform/config/sales.ts';
import type { Audited } from '../platform/store/audit-log.sql.ts';
import type { WaitingEvent } from './sale-event.sql.ts';
import type { Stepped } from './sale.sql.ts';
import type { SaleSettings } from './sale-offer.sql.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { startChore } from '../platform/base/chores.ts';
import type { Records, Stall } from './stall.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { compareText } from '../platform/base/text.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { notFound } from '../platform/base/told.ts';
import { listDemoOffers, listOffers } from './offer.ts';
import type { DemoEvent } from './providers/demo.ts';
import type { Offer } from './goods.rule.ts';
import type { SaleMode } from '../words/en/mail.ts';

export { type SaleTroubles, TROUBLES_TIME } from './sale.sql.ts';

/**
 * How long to wait after each failed request about an event, in milliseconds: then an hour each, until the event is
 * `LONGEST_WAIT` old. The provider may ask for longer.
 */
const DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE] as const;
const LONGEST_WAIT = 7 * DAY;

/**
 * The maximum number of waiting events to ask about in one run: of the server, every minute, and of the command `orders
 * replay --waiting`.
 */
const MOST_EVENTS = 20;
const MOST_WAITING = 1000;

/** The maximum number of events or orders in one write, and the pause between writes in milliseconds. */
const BATCH = 50;
const PAUSE = 20;

/** Asks providers about the events that need an answer: when such an event arrives, and every minute. */
export function startWaitingEvents(stall: Pick<Stall, 'config' | 'store' | 'log' | 'now'>) {
  const pass = async (): Promise<void> => {
    const due = stall.store.listWaitingEvents(stall.now(), MOST_EVENTS);
    for (const event of due) await askAbout(stall, stall.config.sales, event);
  };
  return startChore(MINUTE, pass, (reason) =>
    stall.log({ event: 'sale-waiting', message: `Cannot ask about a sale now: ${reason}` }),
  );
}

export async function askAboutWaiting(stall: Records, sales: Pick<SalesConfig, 'apis'>) {
  const events = stall.store.listWaitingEvents(Number.MAX_SAFE_INTEGER, MOST_WAITING);
  let answered = 0;
  for (const event of events) answered += (await askAbout(stall, sales, event)) ? 1 : 0;
  return { answered, waiting: events.length - answered };
}

/** Asks a provider about one event. Returns whether the event's wait is over; without an API key, it is not. */
async function askAbout(
  { store, now }: Records,
  { apis }: Pick<SalesConfig, 'apis'>,
  { id, provider, body, tries, receivedAt }: WaitingEvent,
): Promise<boolean> {
  const api = isPaymentProvider(provider) ? apis[provider] : null;
  if (!isPaymentProvider(provider) || api === null) return false;
  const asks = SALE_PROVIDERS[provider]?.asks;
  const path = asks?.pathOf(parseBody(provider, body)) ?? null;
  const answered = path === null ? null : await askProvider(provider, api, path);
  const at = now();
  const end = async (reason: string | null): Promise<true> => {
    await store.write.endSaleEvent({ id, reason, at });
    return true;
  };
  if (asks === undefined || answered === null) return end(null);
  if (answered.state === 'missing')
    return end(asks.isExtra === true ? null : `${PROVIDER_NAMES[provider]} does not know it`);
  if (answered.state === 'failed') {
    if (at - receivedAt >= LONGEST_WAIT) return end(null);
    const delay = Math.max(DELAYS[tries] ?? HOUR, (answered.retryAfter ?? 0) * 1000);
    await store.write.delaySaleEvent({ id, nextAt: at + delay, reason: answered.reason });
    return false;
  }
  for (const { id: eventId, body: told } of asks.readAnswer(answered.body, at))
    await store.write.addSaleEvent({
      provider,
      mode: 'live',
      origin: 'api',
      eventId,
      at,
      body: new TextEncoder().encode(JSON.stringify(told)),
    });
  return end(asks.isExtra === true ? null : 'its answer is kept');
}

/**
 * Reads failed events again, mails buyers whose orders ran out, and deletes old bodies of events: every hour, and when
 * `run` is called. Without sales, it writes nothing.
 */
export function startEventUpkeep({
  config: {
    sales: { keepEvents },
  },
  store,
  log,
  now,
}: Stall) {
  const closed = new AbortController();
  /** Repeats `step` from the row at which the step before ended, as long as `hasOne` finds another row to handle. */
  const walkOver = async (
    hasOne: (after: number) => boolean,
    step: (after: number) => Promise<number | null>,
  ) => {
    for (let after: number | null = 0; after !== null && hasOne(after) && !closed.signal.aborted;) {
      after = await step(after);
      await sleep(PAUSE);
    }
  };
  const run = async (): Promise<void> => {
    const [at, atMost] = [now(), BATCH];
    let folded = 0;
    await walkOver(store.hasFailedEvents, async (after) => {
      const { last, done } = await store.write.retrySaleEvents({ after, atMost, at });
      folded += done;
      return last;
    });
    if (folded > 0) log({ event: 'sale-retry', message: `Folded ${folded} events that had failed` });
    await walkOver(
      () => store.hasEndedOrders(at),
      (after) => store.write.tellEndedOrders({ at, after, atMost }),
    );
    const before = at - keepEvents;
    await walkOver(
      () => store.hasBodiesBefore(before),
      async (after) => {
        await store.write.blankSaleEvents({ before, atMost });
        return after;
      },
    );
  };
  const chore = startChore(HOUR, run, (reason) =>
    log({ event: 'sale-upkeep', message: `Cannot look after the events of sales: ${reason}` }),
  );
  return {
    run: chore.run,
    close(): void {
      chore.close();
      closed.abort();
    },
  };
}

export function retryFailedEvents(stall: Records, by: Actor): Promise<number> {
  const audit = auditEntry(by, stall.now(), 'order.replay', 'failed events');
  return walk(stall, audit, (step) => stall.store.write.retrySaleEvents(step));
}

export async function replayAllEvents(stall: Records, by: Actor) {
  const { write } = stall.store;
  const audit = auditEntry(by, stall.now(), 'order.replay', 'all events');
  const events = await walk(stall, audit, (step) => write.replaySaleEvents(step));
  const orders = await walk(stall, undefined, (step) => write.refoldAllOrders(step));
  return { events, orders };
}

type Step = { readonly after: number; readonly atMost: number; readonly at: number } & Audited;

/**
 * Goes through all rows in steps, so that a running server can write in between. Returns how many rows succeeded. The
 * audit entry is written with the first step.
 */
async function walk({ now }: Records, audit: Audited['audit'], step: (step: Step) => Promise<Stepped>) {
  let done = 0;
  for (let after: number | null = 0; after !== null;) {
    const first = after === 0 && audit !== undefined ? { audit } : {};
    const stepped: Stepped = await step({ after, atMost: BATCH, at: now(), ...first });
    [done, after] = [done + stepped.done, stepped.last];
  }
  return done;
}

type VerifyDelivery = (delivery: WebhookDelivery) => () => Promise<void>;

/**
 * Returns a function that verifies a webhook request by its raw bytes, before anything parses them. Its result is a
 * function that stores the request and computes the order. Refuses not-found if the provider is unknown or not set up, or
 * the secret in a ping's address is wrong. Verifying refuses unauthenticated what the provider's `verify` does not
 * accept.
 */
export function openWebhook(stall: Stall, name: string, ping: string | null = null): VerifyDelivery {
  const { sales } = stall.config;
  if (name === PINGING && sales.isOn && isPing(sales.gumroadPing, ping))
    return (delivery) => () => keep(stall, { provider: name, mode: 'live', at: stall.now() }, delivery);
  const provider = SALE_PROVIDERS[name];
  if (provider === undefined || ping !== null || !isSigning(name)) throw notFound(name);
  const secrets = sales.secrets[name];
  if (!sales.isOn || secrets.live.length + secrets.test.length === 0)
    throw Refusal.missing(
      `Cannot take this delivery: sales of ${PROVIDER_NAMES[name]} are not set up here; "bookstall sell check" says what is missing`,
    );
  return (delivery) => {
    const at = stall.now();
    const mode = findMode(provider, delivery, secrets, at);
    if (mode === null)
      throw Refusal.unauthenticated(
        `Cannot take this delivery: no secret of ${PROVIDER_NAMES[name]} signed these bytes within five minutes of now; check the secret, and the clock`,
      );
    return () => keep(stall, { provider: name, mode, at }, delivery);
  };
}

/** Stores an event of the demo's checkout by the same write as a webhook's delivery. Refuses not-found outside the demo. */
export async function takeDemoEvent(stall: Stall, event: DemoEvent): Promise<void> {
  if (!stall.config.demo) throw notFound(DEMO);
  const body = new TextEncoder().encode(JSON.stringify(event));
  await keep(stall, { provider: DEMO, mode: 'live', at: stall.now() }, { body, header: () => null });
}

async function keep(
  { config, store, waitingEvents, log }: Stall,
  { provider, mode, at }: { readonly provider: SaleSource; readonly mode: SaleMode; readonly at: number },
  delivery: WebhookDelivery,
): Promise<void> {
  const { state, reason, orderIds } = await store.write.addSaleEvent({
    provider,
    mode,
    origin: 'webhook',
    body: delivery.body,
    eventId: SALE_PROVIDERS[provider]?.eventIdOf(delivery) ?? null,
    canAsk: provider !== DEMO && config.sales.apis[provider] !== null,
    at,
  });
  if (state === 'waiting') void waitingEvents.run();
  const name = PROVIDER_NAMES[provider];
  if (state !== 'failed')
    log({ event: 'sale', message: `An event of ${name}`, state, reason, orders: orderIds.length });
  else
    log({
      event: 'sale-failed',
      message: `Cannot fold an event of ${name}: ${reason}; it is tried again every hour`,
    });
}

/** Whether the last part of the address is the secret. Compares their hashes in constant time. */
function isPing(secret: string | null, ping: string | null): boolean {
  if (secret === null || ping === null) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(secret), digest(ping));
}

function findMode(
  provider: SaleProvider,
  delivery: WebhookDelivery,
  { live, test }: WebhookSecrets,
  at: number,
) {
  if (live.length > 0 && provider.verify(delivery, live, at)) return 'live';
  return test.length > 0 && provider.verify(delivery, test, at) ? 'test' : null;
}

/**
 * How long before the last comparison, or without one the newest event, a comparison with a provider's sales begins, and
 * how often the server compares; in milliseconds.
 */
const OVERLAP = 2 * DAY;
const EVERY = 6 * HOUR;

/**
 * A comparison with the sales of `provider`; if that is null, of each provider whose API key is set. If `since` is null,
 * it begins two days before the last complete comparison, or without one, before the newest event. A dry run changes
 * nothing.
 */
type ReconcileRequest = {
  readonly provider?: PaymentProvider | null;
  readonly since?: number | null;
  readonly isDry?: boolean;
};

export async function reconcile(
  stall: Records,
  sales: SalesConfig,
  { provider = null, since = null, isDry = false }: ReconcileRequest = {},
) {
  const asked = PAYMENT_PROVIDERS.filter((one) =>
    provider === null ? sales.apis[one] !== null : one === provider,
  );
  const results = [];
  for (const one of asked) results.push(await compare(stall, sales, { provider: one, since, isDry }));
  return results;
}

async function compare(
  { store, now }: Records,
  sales: SalesConfig,
  request: { readonly provider: PaymentProvider; readonly since: number | null; readonly isDry: boolean },
) {
  const { provider, since, isDry } = request;
  const api = sales.apis[provider];
  let [found, added] = [0, 0];
  const orders = new Set<number>();
  const end = (problem: string | null) => ({ provider, found, added, orders: orders.size, problem });
  if (api === null) return end('no key of its API is set');
  const began = now();
  // The last comparison's time is preferred to the newest event's: after days of lost events, a new one may arrive before
  // this comparison, and to begin there would leave out those days.
  const known = store.findComparison(provider) ?? store.findNewestEvent(provider) ?? began;
  const mode = modeOf(provider, api, sales);
  try {
    for await (const events of listHistory(provider, api, since ?? known - OVERLAP, { now })) {
      found += events.length;
      for (const { id, body: told } of events) {
        if (store.hasSaleEvent(provider, id)) continue;
        added += 1;
        if (isDry) continue;
        const body = new TextEncoder().encode(JSON.stringify(told));
        const event = { provider, mode, origin: 'api', body, eventId: id, canAsk: true, at: now() } as const;
        const { orderIds } = await store.write.addSaleEvent(event);
        orderIds.forEach((order) => orders.add(order));
      }
    }
    if (since === null && !isDry) await store.write.noteComparison({ provider, at: began });
    return end(null);
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    return end(error.message);
  }
}

/**
 * Returns whether a provider's listed events are live or tests. Polar's sandbox does not mark its events, so they are
 * tests if the API is one for tests, or if only a test secret is set.
 */
function modeOf(provider: PaymentProvider, api: ProviderApi, { secrets }: SalesConfig) {
  const isTest =
    isSigning(provider) && secrets[provider].live.length === 0 && secrets[provider].test.length > 0;
  return isTest || SETUPS[provider].isTest(api) ? 'test' : 'live';
}

/** Compares with the providers' sales every six hours, and when `run` is called. Does nothing without an API key. */
export function startReconciling(stall: Stall) {
  const { config, log } = stall;
  const run = async (): Promise<void> => {
    for (const { provider, added, problem } of await reconcile(stall, config.sales)) {
      const name = PROVIDER_NAMES[provider];
      if (problem !== null)
        log({ event: 'sale-reconcile', message: `Cannot compare with ${name}: ${problem}` });
      if (added === 0) continue;
      log({ event: 'sale-reconcile', message: `${name} told of ${added} events more` });
    }
  };
  return startChore(EVERY, run, (reason) =>
    log({ event: 'sale-reconcile', message: `Cannot compare sales: ${reason}` }),
  );
}

/** The maximum number of orders computed in one write, so that webhook requests are answered in between. */
const FOLDED = 20;

/**
 * Stores in the database which product ids the catalog sells, for the writing thread and for commands, and computes again
 * the orders that wait for an item or the owner. Call `run` after each publish. Writes nothing without a change or such
 * orders.
 */
export function startOffers({ config, catalog, store, log, now }: Stall) {
  const sync = async (): Promise<void> => {
    const { sales, mail, demo } = config;
    const settings: SaleSettings = {
      grace: sales.grace,
      mail: mail === null || demo ? 'manual' : 'queued',
      tellsSales: mail?.tellsSales ?? false,
    };
    const offers = offersOf([...listOffers(catalog()), ...(demo ? listDemoOffers(catalog()) : [])]);
    const known = store.findSaleMapping();
    const isSame = JSON.stringify([settings, offers]) === JSON.stringify([known.settings, known.offers]);
    if (isSame && !store.hasUnsettledOrders()) return;
    const orderIds = await store.write.setOffers({ offers, settings, at: now() });
    for (let n = 0; n < orderIds.length; n += FOLDED)
      await store.write.refoldOrders({ orderIds: orderIds.slice(n, n + FOLDED), at: now() });
  };
  return startChore(null, sync, (reason) =>
    log({
      event: 'sales-mapping',
      message: `Cannot store what is for sale: ${reason}; the next publish tries again`,
    }),
  );
}

const offersOf = (offers: readonly Offer[]): readonly Offer[] =>
  offers
    .map(({ provider, product, bundle, items, least, from = null }) => ({
      provider,
      product,
      bundle,
      items: items.map(({ kind, itemKey, slug }) => ({ kind, itemKey, slug })),
      least,
      from,
    }))
    .toSorted((a, b) => compareText(a.provider, b.provider) || compareText(a.product, b.product));
