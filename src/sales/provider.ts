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

/** A payment provider: its file says how its deliveries are verified and read, and nothing else knows. */
export type SaleProvider = {
  /**
   * Whether a delivery was signed with one of the secrets within five minutes of `now`. The time of a delivery that
   * carries none is not known.
   */
  readonly verify: (delivery: Delivery, secrets: readonly string[], now: number) => boolean;
  /** The name of the event where it is outside the body. */
  readonly eventIdOf: (delivery: Delivery) => string | null;
  /** Reads the JSON value of a body; null for one that is no event. */
  readonly read: (body: unknown) => SaleEvent | null;
};
