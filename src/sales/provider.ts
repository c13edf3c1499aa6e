import type { ProviderFact } from './fact.ts';
import { messageOf } from '../refusal.ts';
import type { SaleSource } from '../payment-provider.ts';
import { demo } from './demo.ts';
import { gumroad } from './gumroad.ts';
import { lemonsqueezy } from './lemonsqueezy.ts';
import { polar } from './polar.ts';
import { stripe } from './stripe.ts';

/** A delivery as it arrived: the raw body, and its headers by name in lower case. Repeated headers are joined by commas. */
export type WebhookDelivery = { readonly body: Uint8Array; readonly header: (name: string) => string | null };

/** A provider's event, read into facts. */
export type SaleEvent = {
  /** The provider's id of the event; null if only its body identifies it. */
  readonly id: string | null;
  readonly type: string;
  /** The provider's time, in milliseconds since 1970 UTC. */
  readonly at: number;
  /** Whether the provider marks it as a test, in which no money moved. */
  readonly isTest: boolean;
  /** The facts that the event states; empty if its type concerns no sale. */
  readonly facts: readonly ProviderFact[];
};

/** An event read from an answer of a provider's API. Of two events with the same id, only the first is stored. */
export type Answered = { readonly id: string; readonly body: unknown };

/** How to ask a provider's API about events that are unsigned or incomplete. */
type SaleQuestion = {
  /** Whether the event is folded at once, since an answer only adds to it; otherwise the answer takes its place. */
  readonly isExtra?: boolean;
  /** Returns the path to ask about an event; null if the event is complete. */
  readonly pathOf: (body: unknown) => string | null;
  /** Reads the events in an answer. `at` is their time if the answer does not say one. */
  readonly readAnswer: (answer: unknown, at: number) => readonly Answered[];
};

/** A payment provider: how its deliveries are verified and read. No other code knows its format. */
export type SaleProvider = {
  /**
   * Reports whether a delivery was signed with one of the secrets within five minutes of `now`. If the provider signs no
   * time, a delivery is accepted at any time.
   */
  readonly verify: (delivery: WebhookDelivery, secrets: readonly string[], now: number) => boolean;
  /** Returns the event's id if a header holds it, else null. */
  readonly eventIdOf: (delivery: WebhookDelivery) => string | null;
  /** Reads the text of a body. Without it, the body is JSON. */
  readonly parse?: (text: string) => unknown;
  readonly asks?: SaleQuestion;
  /** Reads the parsed body; null if it is not an event. */
  readonly read: (body: unknown) => SaleEvent | null;
};

/** The providers whose events are read. To add one, write its file and add a line here. */
export const SALE_PROVIDERS: Readonly<Record<string, SaleProvider>> = {
  stripe,
  polar,
  lemonsqueezy,
  gumroad,
  demo,
} satisfies Record<SaleSource, SaleProvider>;

/** Parses a provider's body; undefined if it cannot be read, or the provider is unknown. */
export function parseBody(provider: string, body: Uint8Array): unknown {
  const parse = SALE_PROVIDERS[provider]?.parse ?? JSON.parse;
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

/** The outcome of reading a body. `ignored` changes nothing; `failed` means that the reader threw. */
export type Reading = {
  readonly event: SaleEvent | null;
  readonly state: 'folded' | 'ignored' | 'failed';
  readonly reason: string | null;
};

export function readEvent(provider: string, body: Uint8Array): Reading {
  try {
    const value = parseBody(provider, body);
    const event = value === undefined ? null : (SALE_PROVIDERS[provider]?.read(value) ?? null);
    if (event === null) return { event, state: 'ignored', reason: 'it is no event that can be read' };
    if (event.facts.length > 0) return { event, state: 'folded', reason: null };
    return { event, state: 'ignored', reason: 'its type says nothing to a stall' };
  } catch (error) {
    return { event: null, state: 'failed', reason: messageOf(error) };
  }
}

/** Tells when to ask a provider's API about an event: `first`, before folding it; `beside` folding it; null for never. */
export function questionOf(provider: string, body: Uint8Array): 'first' | 'beside' | null {
  const value = parseBody(provider, body);
  const asks = SALE_PROVIDERS[provider]?.asks;
  if (value === undefined || asks === undefined || asks.pathOf(value) === null) return null;
  return asks.isExtra === true ? 'beside' : 'first';
}
