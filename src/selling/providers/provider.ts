import type { ProviderFact } from '../fact.rule.ts';
import { hasMoreFields, isBeyond } from '../../platform/base/body-look.ts';
import { messageOf } from '../../platform/base/refusal.ts';
import type { SaleSource } from '../../words/payment-provider.ts';
import { demo } from './demo.ts';
import { gumroad } from './gumroad.ts';
import { lemonsqueezy } from './lemonsqueezy.ts';
import { polar } from './polar.ts';
import { stripe } from './stripe.ts';

/**
 * A webhook request as it arrived: the raw body, and its headers by name in lower case. Repeated headers are joined by
 * commas.
 */
export type WebhookDelivery = { readonly body: Uint8Array; readonly header: (name: string) => string | null };

export type SaleEvent = {
  /** The provider's id of the event; null if it has none, so that the body itself identifies it. */
  readonly id: string | null;
  readonly type: string;
  /** The time that the provider gives, in milliseconds since 1970 UTC. */
  readonly at: number;
  readonly isTest: boolean;
  readonly facts: readonly ProviderFact[];
};

/** An event made from an answer of a provider's API. Only the first event with an id is stored. */
export type Answered = { readonly id: string; readonly body: unknown };

/** How to ask a provider's API for more about an event that is unsigned or incomplete. */
type SaleQuestion = {
  /**
   * Whether the answer only adds to the event, so that the event counts before the answer comes. Otherwise the answer
   * replaces the event.
   */
  readonly isExtra?: boolean;
  /** Returns the API path to ask; null if the event needs no answer. */
  readonly pathOf: (body: unknown) => string | null;
  readonly readAnswer: (answer: unknown, at: number) => readonly Answered[];
};

export type SaleProvider = {
  /** Whether a request was signed with one of the secrets and, if the provider signs the time, within five minutes of `now`. */
  readonly verify: (delivery: WebhookDelivery, secrets: readonly string[], now: number) => boolean;
  readonly eventIdOf: (delivery: WebhookDelivery) => string | null;
  readonly parse?: (text: string) => unknown;
  readonly asks?: SaleQuestion;
  readonly read: (body: unknown) => SaleEvent | null;
};

/** How the events of each provider are read. A new provider is named in `words/payment-provider.ts` first. */
export const SALE_PROVIDERS: Readonly<Record<string, SaleProvider>> = {
  stripe,
  polar,
  lemonsqueezy,
  gumroad,
  demo,
} satisfies Record<SaleSource, SaleProvider>;

/** How deep an event's values may nest, and how many it may hold; an order of a hundred lines has about 3,000. */
export const EVENT_BOUNDS = { depth: 32, values: 20_000 };

/** Whether a body holds too much to be parsed. It is JSON, or perhaps a form if its provider has a parser. */
const isTooMuch = (provider: string, body: Uint8Array): boolean =>
  isBeyond(body, EVENT_BOUNDS) ||
  (SALE_PROVIDERS[provider]?.parse !== undefined && hasMoreFields(body, EVENT_BOUNDS.values));

export function parseBody(provider: string, body: Uint8Array): unknown {
  if (isTooMuch(provider, body)) return undefined;
  const parse = SALE_PROVIDERS[provider]?.parse ?? JSON.parse;
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The result of reading the body of an event. `state` is 'folded' if the event has facts, 'ignored' if it has none or is
 * not an event, and 'failed' if reading it threw an error. `reason` is null for 'folded'.
 */
export type Reading = {
  readonly event: SaleEvent | null;
  readonly state: 'folded' | 'ignored' | 'failed';
  readonly reason: string | null;
};

const TOO_MUCH = `it holds more than ${EVENT_BOUNDS.values.toLocaleString('en')} values, or nests them more than ${EVENT_BOUNDS.depth} deep`;

export function readEvent(provider: string, body: Uint8Array): Reading {
  try {
    if (isTooMuch(provider, body)) return { event: null, state: 'failed', reason: TOO_MUCH };
    const value = parseBody(provider, body);
    const event = value === undefined ? null : (SALE_PROVIDERS[provider]?.read(value) ?? null);
    if (event === null) return { event, state: 'ignored', reason: 'it is no event that can be read' };
    if (event.facts.length > 0) return { event, state: 'folded', reason: null };
    return { event, state: 'ignored', reason: 'its type says nothing to a stall' };
  } catch (error) {
    return { event: null, state: 'failed', reason: messageOf(error) };
  }
}

/**
 * Says whether to ask a provider's API about an event: `first` if the event waits for the answer, `beside` if it counts
 * before; null if nothing is asked.
 */
export function questionOf(provider: string, body: Uint8Array): 'first' | 'beside' | null {
  const value = parseBody(provider, body);
  const asks = SALE_PROVIDERS[provider]?.asks;
  if (value === undefined || asks === undefined || asks.pathOf(value) === null) return null;
  return asks.isExtra === true ? 'beside' : 'first';
}
