/** A product as its provider describes it. `amount` is in minor units; null if it is unknown, or the buyer chooses it. */
export type ProviderProduct = {
  readonly isActive: boolean;
  readonly amount: number | null;
  /** ISO 4217 in lower case; null if the provider does not say it. */
  readonly currency: string | null;
  readonly isSubscription: boolean;
  readonly isTest: boolean;
  /** The address that buyers return to after paying; null if it is unknown. */
  readonly returnUrl: string | null;
};

/** A webhook that is set up at a provider; `version` is that of its events. */
export type ProviderEndpoint = {
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly isTest: boolean;
  readonly version: string | null;
};

/** An object that was looked up: null if the provider does not have it, or the reason why it could not be read. */
export type Lookup<T> = { readonly found: T | null } | { readonly problem: string };

/** A provider's API as `sell check` reads it. */
export type ProviderReader = {
  readonly findProduct: (id: string) => Promise<Lookup<ProviderProduct>>;
  readonly listEndpoints: () => Promise<Lookup<readonly ProviderEndpoint[]>>;
};
