import type { ProviderFact } from './fact.ts';

/** A delivery as it came: the raw bytes, and its headers by name in lower case; a repeated one is joined by commas. */
export type Delivery = {
  readonly body: Uint8Array;
  readonly header: (name: string) => string | null;
};

/** A provider's event in our words. */
export type SaleEvent = {
  /** The provider's id of it; null is one whose body alone names it. */
  readonly id: string | null;
  readonly type: string;
  /** The provider's time, in milliseconds since 1970 UTC. */
  readonly at: number;
  /** Whether it says itself that no money moved. */
  readonly isTest: boolean;
  /** None for a type that says nothing to a stall. */
  readonly facts: readonly ProviderFact[];
};

/** An event that an answer of a provider's API is; a second one of the same id is the first. */
export type Answered = { readonly id: string; readonly body: unknown };

/** What must be asked of a provider's API, since an event does not say it, or is not signed. */
type SaleQuestion = {
  /** The path to ask about an event; null if the event says it all. */
  readonly pathOf: (body: unknown) => string | null;
  /** The events that an answer is, as of `at` if it does not say its own time. */
  readonly readAnswer: (answer: unknown, at: number) => readonly Answered[];
};

/** A payment provider: its file says how its deliveries are verified and read, and nothing else knows. */
export type SaleProvider = {
  /**
   * Whether a delivery was signed with one of the secrets within five minutes of `now`. The time of a delivery that
   * carries none is not known.
   */
  readonly verify: (delivery: Delivery, secrets: readonly string[], now: number) => boolean;
  /** The name of the event where it is outside the body. */
  readonly eventIdOf: (delivery: Delivery) => string | null;
  /** Reads the text of a body; JSON if it is left out. */
  readonly parse?: (text: string) => unknown;
  readonly asks?: SaleQuestion;
  /** Reads the value of a body; null for one that is no event. */
  readonly read: (body: unknown) => SaleEvent | null;
};
