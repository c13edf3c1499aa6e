import type { Database } from 'bun:sqlite';
import type { DatedFact, Fact, OwnerFact, ProviderFact } from '../../sales/fact.ts';
import { sha256 } from '../../sha256.ts';

/** The event that the facts come from. */
type FactSource = { readonly id: number; readonly provider: string; readonly at: number };

/**
 * The part of a transaction that keeps facts in chains: facts that share a key are one. Ids of an erased order are found by
 * their hash, and a new fact of it is stored as the others are.
 */
export function saleFactInserts(db: Database) {
  const insert = db.prepare('INSERT INTO sale_facts (event, chain, at, fact) VALUES (?, ?, ?, ?)');
  const find = db.prepare<{ chain: number }, [string, string]>(
    'SELECT chain FROM sale_keys WHERE provider = ? AND key = ?',
  );
  const next = db.prepare<{ chain: number }, []>(
    `SELECT max(coalesce((SELECT max(chain) FROM sale_facts), 0), coalesce((SELECT max(chain) FROM sale_keys), 0),
       coalesce((SELECT max(chain) FROM orders), 0)) + 1 AS chain`,
  );
  const addKey = db.prepare(
    'INSERT INTO sale_keys (provider, key, chain) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const moves = ['sale_facts', 'sale_keys'].map((table) =>
    db.prepare(`UPDATE ${table} SET chain = ?1 WHERE chain = ?2`),
  );
  const list = db.prepare<Omit<DatedFact, 'number' | 'fact'> & { id: number; fact: string }, [number]>(
    `SELECT sale_facts.id, sale_facts.at, event_id AS eventId, origin, fact FROM sale_facts
     JOIN sale_events ON sale_events.id = event WHERE chain = ?`,
  );
  const removeOf = db.prepare('DELETE FROM sale_facts WHERE event = ?');

  return {
    /** Adds facts of one event; `merge` is told of chains that turn out to be one. Gives the chains that changed. */
    add(
      { id, provider, at }: FactSource,
      facts: readonly ProviderFact[],
      merge: (into: number, from: number) => void,
    ): readonly number[] {
      const touched = new Set<number>();
      // Facts of one event mostly share their keys.
      const chains = new Map<string, number>();
      const chainOf = (key: string): number | null => {
        const chain = chains.get(key) ?? find.get(provider, key)?.chain ?? null;
        if (chain !== null) chains.set(key, chain);
        return chain;
      };
      for (const given of facts) {
        const isHidden = given.keys.some((key) => !chains.has(key) && chainOf(hideId(key)) !== null);
        const fact = isHidden ? hideFact(given) : given;
        const names = isHidden ? [...given.keys, ...fact.keys] : given.keys;
        const found = names.map(chainOf).filter((chain) => chain !== null);
        const [chain = next.get()?.chain ?? 1, ...others] = [...new Set(found)].toSorted((a, b) => a - b);
        for (const other of others) {
          moves.forEach((move) => move.run(chain, other));
          merge(chain, other);
          touched.delete(other);
          chains.clear();
        }
        for (const key of fact.keys) if (chains.get(key) !== chain) addKey.run(provider, key, chain);
        for (const key of fact.keys) chains.set(key, chain);
        insert.run(id, chain, at, JSON.stringify(fact));
        touched.add(chain);
      }
      return [...touched];
    },
    /** Adds an act to a chain. */
    addAct(eventId: number, chain: number, at: number, fact: OwnerFact): void {
      insert.run(eventId, chain, at, JSON.stringify(fact));
    },
    list(chain: number): readonly DatedFact[] {
      return list
        .all(chain)
        .map(({ id, fact, ...dated }) => ({ ...dated, number: id, fact: JSON.parse(fact) as Fact }));
    },
    /** Removes the facts of an event before they are read again. */
    removeOf(eventId: number): void {
      removeOf.run(eventId);
    },
  };
}

/** The form of an id that is kept after erasing: its hash. */
export function hideId(id: string): string {
  return id.startsWith('sha256:') ? id : `sha256:${sha256(id)}`;
}

/** A fact without the person: no address, and a hash for each of the provider's ids. */
export function hideFact<Known extends ProviderFact>(fact: Known): Known {
  return {
    ...fact,
    keys: fact.keys.map(hideId),
    ...('ids' in fact ? { ids: fact.ids.map(hideId) } : {}),
    ...('id' in fact ? { id: hideId(fact.id) } : {}),
    ...(fact.kind === 'buyer' ? { ref: hideId(fact.ref), email: null } : {}),
    ...(fact.kind === 'note' ? { text: '' } : {}),
  };
}
