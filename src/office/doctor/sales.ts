import { formatDuration, HOUR } from '../../platform/base/duration.ts';
import { valueOf } from './database-check.ts';
import { noteOf, ok, type Result, skip, type Subject, warn } from './subject.ts';
import { findSetupProblems, listSellings } from '../../publishing/sell-check.ts';
import { PAYMENT_PROVIDERS, PROVIDER_NAMES } from '../../words/payment-provider.ts';
import { takesSales } from '../../platform/config/sales.ts';
import { type SaleTroubles, TROUBLES_TIME } from '../../selling/sale-event.ts';
import { counted } from '../../platform/base/text.ts';

/**
 * Checks the setup of each payment provider (see `findSetupProblems`), and whether events failed, are late or do not arrive, or
 * sales match no item.
 */
export async function examineSales({ config, server, now, serving, database }: Subject): Promise<Result> {
  const at = now();
  const found = serving === null ? valueOf((await database()).sales) : serving.findSaleTroubles(at);
  const sold = serving === null ? soldIn(config) : new Set(serving.listSoldProviders());
  const isHere = PAYMENT_PROVIDERS.some((provider) => takesSales(config.sales, provider));
  // The running server may have secrets that this environment lacks: its note about itself leaves them out.
  const isBeside = serving === null && noteOf(server) !== null;
  const isElsewhere = isBeside && !isHere && (sold?.size ?? 0) > 0;
  const [first, ...others] = [
    ...(found === undefined ? [] : describeTroubles(found, at)),
    ...(sold === null || isElsewhere ? [] : findSetupProblems(config.sales, sold)),
  ];
  if (first !== undefined)
    return warn(
      [first, ...others].map(({ sentence }) => sentence).join('; '),
      others.length === 0
        ? first.remedy
        : 'Look at orders in the office, and run "bookstall sell check", which says what to set',
    );
  if (sold === null) return skip('The content cannot be read, so that its ids are not known');
  if (isElsewhere)
    return skip(
      'The secrets of sales are not in this environment, so that they were not compared with the ids of items',
    );
  const names = PAYMENT_PROVIDERS.filter((provider) => sold.has(provider)).map((one) => PROVIDER_NAMES[one]);
  if (names.length === 0) return ok('Nothing is sold by a payment provider');
  const way =
    config.mail === null && !isBeside
      ? '; without mail, a buyer comes back to the library by a password alone, which the page after paying offers'
      : '';
  return ok(`Sales of ${names.join(', ')} make grants${way}`);
}

function describeTroubles({ silent, failed, waitingSince, unmatched }: SaleTroubles, at: number) {
  const isLate = waitingSince !== null && at - waitingSince > HOUR;
  return [
    failed > 0 && {
      sentence: `${counted(failed, 'event')} of payment providers could not be folded into orders`,
      remedy: 'They are tried again every hour; "bookstall orders replay --failed" tries now',
    },
    isLate && {
      sentence: "An event has waited for its provider's API for over an hour",
      remedy: 'Look at the API key and its rights with "bookstall sell check"',
    },
    ...silent.map((provider) => ({
      sentence: `No event of ${PROVIDER_NAMES[provider]} has arrived for ${formatDuration(TROUBLES_TIME)}, while its API tells of sales`,
      remedy: `Look at the webhook's log there; "bookstall sell check" says its address and events`,
    })),
    unmatched > 0 && {
      sentence: `${counted(unmatched, 'sale')} opened nothing, because no item names what was bought`,
      remedy: 'Run "bookstall orders list --state unmatched"; the office prints the line for item.yaml',
    },
  ].filter((trouble) => trouble !== false);
}

function soldIn(config: Subject['config']): ReadonlySet<string> | null {
  try {
    const sellings = listSellings(config);
    return new Set(PAYMENT_PROVIDERS.filter((one) => sellings.some(({ sell }) => sell[one].length > 0)));
  } catch {
    return null;
  }
}
