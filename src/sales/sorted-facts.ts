import type { DatedFact, Fact } from './fact.ts';

/** Facts sorted by time, rank, event id and number, so that the order of arrival does not matter. */
export function sortFacts(facts: readonly DatedFact[]): readonly DatedFact[] {
  return facts.toSorted(
    (a, b) =>
      a.at - b.at || rankOf(a.fact) - rankOf(b.fact) || compare(a.eventId, b.eventId) || a.number - b.number,
  );
}

/** Providers' times are whole seconds. Within a second, pending comes before paid, then given back, then ended. */
const RANKS = { pending: 0, failed: 1, paid: 2, 'given-back': 3, ended: 4, owner: 5 } as const;

function rankOf(fact: Fact): number {
  switch (fact.kind) {
    case 'payment':
      return RANKS[fact.state];
    case 'refund':
      return fact.amount > 0 || fact.isFull ? RANKS['given-back'] : RANKS.paid;
    case 'dispute':
      return fact.state === 'open' ? RANKS['given-back'] : RANKS.ended;
    case 'subscription':
      return { active: RANKS.paid, 'past-due': RANKS['given-back'], paused: RANKS.ended, ended: RANKS.ended }[
        fact.state
      ];
    case 'buyer':
    case 'tie':
    case 'note':
      return RANKS.pending;
    case 'grant':
    case 'revoke':
    case 'give-back':
    case 'attach':
    case 'gift':
      return RANKS.owner;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
