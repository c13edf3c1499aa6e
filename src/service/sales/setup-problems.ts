import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../../payment-provider.ts';
import { type SalesConfig, secretVariable, takesSales } from '../../sales-config.ts';

/** A fault in the configuration of sales. `lost` is true if sales make no grants because of it. */
type SetupProblem = {
  readonly provider: PaymentProvider;
  readonly lost: boolean;
  readonly sentence: string;
  readonly remedy: string;
};

/** The faults of providers whose product ids and secrets do not fit together. */
export function findSetupProblems(sales: SalesConfig, sold: ReadonlySet<string>): readonly SetupProblem[] {
  return PAYMENT_PROVIDERS.flatMap((provider) => {
    const problem = problemOf(sales, provider, sold.has(provider));
    return problem === null ? [] : [problem];
  });
}

function problemOf(sales: SalesConfig, provider: PaymentProvider, isSold: boolean): SetupProblem | null {
  const [name, variable] = [PROVIDER_NAMES[provider], secretVariable(provider)];
  if (isSold && !sales.isOn)
    return {
      provider,
      lost: true,
      sentence: `Items name ids of ${name}, but sales are switched off: they make no grants`,
      remedy: 'Set BOOKSTALL_SALES to live; the demo takes no sales',
    };
  if (isSold && !takesSales(sales, provider))
    return {
      provider,
      lost: true,
      sentence: `Items name ids of ${name}, but ${variable} is not set: its sales make no grants`,
      remedy: `Set it to the secret that ${name} has for this stall; "bookstall sell check" says where`,
    };
  if (isSold && provider !== 'gumroad' && sales.secrets[provider].live.length === 0)
    return {
      provider,
      lost: true,
      sentence: `Only test sales of ${name} are verified: real ones make no grants`,
      remedy: `Set ${variable} beside ${variable}_TEST`,
    };
  if (isSold && provider === 'stripe' && !sales.secrets.stripe.live.every(isSigningSecret))
    return {
      provider,
      lost: true,
      sentence: `${variable} does not begin with "whsec_", as a signing secret of ${name} does: its sales make no grants`,
      remedy: `Copy the signing secret of the webhook endpoint from ${name}, not an API key`,
    };
  if (!isSold && takesSales(sales, provider))
    return {
      provider,
      lost: false,
      sentence: `${variable} is set, but no item names an id of ${name}: its sales lead to nothing`,
      remedy: `Add "sell: {${provider}: [id]}" to an item.yaml, or remove the variable`,
    };
  return null;
}

const isSigningSecret = (secret: string): boolean => secret.startsWith('whsec_');
