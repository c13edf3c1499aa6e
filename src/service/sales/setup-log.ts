import type { Catalog } from '../../catalog/catalog.ts';
import { listOffers } from '../../catalog/offers.ts';
import type { Log } from '../../log.ts';
import type { SalesConfig } from '../../sales-config.ts';
import { findSetupProblems } from './setup-problems.ts';

/** Logs the faults that keep sales from making grants, at the start and whenever a new catalog changes them. */
export function createSetupLog(sales: SalesConfig, log: Log): (catalog: Catalog) => void {
  let last = '';
  return (catalog) => {
    const sold = new Set(listOffers(catalog).map(({ provider }) => provider));
    const problems = findSetupProblems(sales, sold);
    const sentences = problems.map(({ sentence, remedy }) => `${sentence}. ${remedy}`);
    if (sentences.join('\n') !== last) for (const message of sentences) log({ event: 'sale-setup', message });
    last = sentences.join('\n');
  };
}
