import type { Database } from 'bun:sqlite';

export function saleComparisonReads(db: Database) {
  const one = db.prepare<{ at: number }, [string]>('SELECT at FROM sale_comparisons WHERE provider = ?');
  return {
    /** When the newest comparison with a provider began that came to its end; null if there was none. */
    async findComparison(provider: string): Promise<number | null> {
      return one.get(provider)?.at ?? null;
    },
  };
}

export function saleComparisonWrites(db: Database) {
  const upsert = db.prepare(
    'INSERT INTO sale_comparisons (provider, at) VALUES (?, ?) ON CONFLICT (provider) DO UPDATE SET at = excluded.at',
  );
  return {
    /** Notes when a comparison began that came to its end. Reconciliation calls it. */
    noteComparison({ provider, at }: { readonly provider: string; readonly at: number }): void {
      upsert.run(provider, at);
    },
  };
}
