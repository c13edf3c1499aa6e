import { listSellings } from '../publish/sellers.ts';
import { findSetupProblems } from '../sales/setup-problems.ts';
import { HOUR } from '../../duration.ts';
import { PAYMENT_PROVIDERS, PROVIDER_NAMES } from '../../payment-provider.ts';
import { takesSales } from '../../sales-config.ts';
import type { SaleTroubles } from '../../store/tables/sale-troubles.ts';
import { ok, type Result, skip, warn } from './result.ts';
import { noteOf, type Subject } from './subject.ts';

/** Something that is wrong with sales, and what to do. */
type Trouble = { readonly sentence: string; readonly remedy: string };

/** Whether the ids that items name fit the webhook secrets, and whether events, orders or mails ask for the owner. */
export async function examineSales(subject: Subject): Promise<Result> {
  const { config, server } = subject;
  const found = (await subject.database())?.sales;
  const troubles = found?.state === 'known' ? describeTroubles(found.value, subject.now()) : [];
  const sold = soldIn(subject);
  const isHere = PAYMENT_PROVIDERS.some((provider) => takesSales(config.sales, provider));
  const isElsewhere = noteOf(server) !== null && (sold?.size ?? 0) > 0 && !isHere;
  if (sold !== null && !isElsewhere) return judgeSales(subject, sold, troubles);
  if (troubles.length > 0) return warnOf(troubles);
  return skip(
    sold === null
      ? 'The content cannot be read, so that its ids are not known'
      : 'The secrets of sales are not in this environment, so that they were not compared with the ids of items',
  );
}

/** The facts of sales in a running stall: the providers whose ids the last publish read, and its faults. */
export type SaleLogs = {
  readonly listSoldProviders: () => Promise<readonly string[]>;
  readonly findSaleTroubles: (at: number) => Promise<SaleTroubles>;
};

/** The same for a stall that serves, with the providers whose ids the last publish read. */
export async function examineServedSales(subject: Subject, logs: SaleLogs): Promise<Result> {
  const at = subject.now();
  const troubles = describeTroubles(await logs.findSaleTroubles(at), at);
  return judgeSales(subject, new Set(await logs.listSoldProviders()), troubles);
}

function judgeSales({ config }: Subject, sold: ReadonlySet<string>, troubles: readonly Trouble[]): Result {
  const all = [...troubles, ...findSetupProblems(config.sales, sold)];
  if (all.length > 0) return warnOf(all);
  const names = PAYMENT_PROVIDERS.filter((provider) => sold.has(provider)).map((one) => PROVIDER_NAMES[one]);
  return ok(
    names.length === 0 ? 'Nothing is sold by a payment provider' : `Sales of ${names.join(', ')} make grants`,
  );
}

function warnOf(troubles: readonly Trouble[]): Result {
  const [first, ...others] = troubles;
  const remedy =
    'Look at orders and mail in the office, and run "bookstall sell check", which says what to set';
  return warn(
    troubles.map(({ sentence }) => sentence).join('; '),
    first !== undefined && others.length === 0 ? first.remedy : remedy,
  );
}

function describeTroubles(
  { silent, failed, waitingSince, unmatched, failedMails }: SaleTroubles,
  at: number,
): readonly Trouble[] {
  const isLate = waitingSince !== null && at - waitingSince > HOUR;
  return [
    failed > 0 && {
      sentence: `${countOf(failed, 'event')} of payment providers could not be folded into orders`,
      remedy: 'They are tried again every hour; "bookstall orders replay --failed" tries now',
    },
    isLate && {
      sentence: "An event has waited for its provider's API for over an hour",
      remedy: 'Look at the API key and its rights with "bookstall sell check"',
    },
    ...silent.map((provider) => ({
      sentence: `No event of ${PROVIDER_NAMES[provider]} has arrived for 7 days, while its API tells of sales`,
      remedy: `Look at the webhook's log there; "bookstall sell check" says its address and events`,
    })),
    unmatched > 0 && {
      sentence: `${countOf(unmatched, 'sale')} opened nothing, because no item names what was bought`,
      remedy: 'Run "bookstall orders list --state unmatched"; the office prints the line for item.yaml',
    },
    failedMails > 0 && {
      sentence: `${countOf(failedMails, 'mail')} of the last 7 days could not be sent`,
      remedy: 'Run "bookstall mail list --state failed", and "bookstall mail test" with an address of yours',
    },
  ].filter((trouble) => trouble !== false);
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function soldIn({ config }: Subject): ReadonlySet<string> | null {
  try {
    const sellings = listSellings(config.content, config.limits);
    return new Set(PAYMENT_PROVIDERS.filter((one) => sellings.some(({ sell }) => sell[one].length > 0)));
  } catch {
    return null;
  }
}
