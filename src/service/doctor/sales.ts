import { listSellings } from '../publish/sellers.ts';
import { findSetupProblems } from '../sales/setup-problems.ts';
import { PAYMENT_PROVIDERS, PROVIDER_NAMES } from '../../payment-provider.ts';
import { takesSales } from '../../sales-config.ts';
import { ok, type Result, skip, warn } from './result.ts';
import { HOUR } from '../../duration.ts';
import { noteOf, type Subject } from './subject.ts';

/** Whether the ids that items name fit the webhook secrets; events and orders are the office's to show. */
export function examineSales(subject: Subject): Result {
  const { config, server } = subject;
  const sold = soldIn(subject);
  if (sold === null) return skip('The content cannot be read, so that its ids are not known');
  const isHere = PAYMENT_PROVIDERS.some((provider) => takesSales(config.sales, provider));
  if (noteOf(server) !== null && sold.size > 0 && !isHere)
    return skip(
      'The secrets of sales are not in this environment, so that they were not compared with the ids of items',
    );
  return judgeSales(subject, sold);
}

/** The facts of sales in a running stall: the providers whose ids the last publish read, and events that are not folded. */
export type SaleLogs = {
  readonly listSoldProviders: () => Promise<readonly string[]>;
  readonly countOpenEvents: () => Promise<
    readonly { readonly state: string; readonly events: number; readonly oldest: number }[]
  >;
};

/** The same for a stall that serves, with the providers whose ids the last publish read. */
function judgeSales({ config }: Subject, sold: ReadonlySet<string>): Result {
  const [first, ...others] = findSetupProblems(config.sales, sold);
  if (first !== undefined)
    return warn(
      [first, ...others].map(({ sentence }) => sentence).join('; '),
      others.length === 0 ? first.remedy : 'Run "bookstall sell check", which says what to set',
    );
  const names = PAYMENT_PROVIDERS.filter((provider) => sold.has(provider)).map((one) => PROVIDER_NAMES[one]);
  return ok(
    names.length === 0 ? 'Nothing is sold by a payment provider' : `Sales of ${names.join(', ')} make grants`,
  );
}

/** The same, and whether events of providers wait or could not be folded. */
export async function examineServedSales(subject: Subject, logs: SaleLogs): Promise<Result> {
  const open = await logs.countOpenEvents();
  const failed = open.find(({ state }) => state === 'failed');
  if (failed !== undefined)
    return warn(
      `${failed.events === 1 ? '1 event' : `${failed.events} events`} of payment providers could not be folded into orders`,
      'They are tried again every hour; "bookstall orders replay --failed" tries now',
    );
  const waiting = open.find(({ state }) => state === 'waiting');
  if (waiting !== undefined && subject.now() - waiting.oldest > HOUR)
    return warn(
      "An event has waited for its provider's API for over an hour",
      'Look at the API key and its rights with "bookstall sell check"',
    );
  return judgeSales(subject, new Set(await logs.listSoldProviders()));
}

function soldIn({ config }: Subject): ReadonlySet<string> | null {
  try {
    const sellings = listSellings(config.content, config.limits);
    return new Set(PAYMENT_PROVIDERS.filter((one) => sellings.some(({ sell }) => sell[one].length > 0)));
  } catch {
    return null;
  }
}
