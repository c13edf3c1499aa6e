import { type Catalog, listPublished } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { createTurns } from '../../turn.ts';

/** An item as it is searched: its title, and all its text. */
export type WindowRow = { readonly edition: Edition; readonly title: string; readonly text: string };

/** The published items by title, and the tags and languages to choose from, the most frequent first. */
export type WindowIndex = {
  readonly rows: readonly WindowRow[];
  readonly tags: readonly string[];
  readonly languages: readonly string[];
};

const MOST_TAGS = 40;
/** Rows that are sorted at once, in less than a millisecond. */
const RUN = 64;

const titles = new Intl.Collator('und', { numeric: true });

/**
 * Indexes catalogs for the shop window, each once. Ten thousand titles take a tenth of a second to fold and to sort: this is
 * done in slices between which requests have their turn, and of the next catalog only changed items are placed anew.
 */
export function createWindowIndexes() {
  const indexes = new WeakMap<Catalog, Promise<WindowIndex>>();
  let latest: readonly WindowRow[] = [];

  const build = async (catalog: Catalog): Promise<WindowIndex> => {
    const turn = createTurns();
    const editions = listPublished(catalog);
    const present = new Set(editions);
    const kept = latest.filter(({ edition }) => present.has(edition));
    const known = new Set(kept.map(({ edition }) => edition));
    const added: WindowRow[] = [];
    const [tags, languages] = [new Map<string, number>(), new Map<string, number>()];
    for (const edition of editions) {
      const { manifest } = edition;
      if (!known.has(edition)) added.push(makeRow(edition));
      for (const tag of manifest.tags) count(tags, tag);
      if (manifest.language !== null) count(languages, manifest.language);
      await turn();
    }
    const rows = await merge(kept, await sort(added, turn), turn);
    latest = rows;
    return { rows, tags: byFrequency(tags).slice(0, MOST_TAGS), languages: byFrequency(languages) };
  };

  return (catalog: Catalog): Promise<WindowIndex> => {
    const index = indexes.get(catalog) ?? build(catalog);
    indexes.set(catalog, index);
    return index;
  };
}

export type WindowIndexes = ReturnType<typeof createWindowIndexes>;

type Turn = () => Promise<void>;

/** A merge sort that gives others their turn; equal titles keep the order of their slugs. */
async function sort(rows: readonly WindowRow[], turn: Turn): Promise<readonly WindowRow[]> {
  let runs: (readonly WindowRow[])[] = [];
  for (let at = 0; at < rows.length; at += RUN) {
    runs.push(rows.slice(at, at + RUN).sort(byTitle));
    await turn();
  }
  while (runs.length > 1) {
    const merged: (readonly WindowRow[])[] = [];
    for (let n = 0; n < runs.length; n += 2) merged.push(await merge(runs[n] ?? [], runs[n + 1] ?? [], turn));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(
  one: readonly WindowRow[],
  other: readonly WindowRow[],
  turn: Turn,
): Promise<readonly WindowRow[]> {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const merged: WindowRow[] = [];
  let n = 0;
  for (const row of one) {
    for (let next = other[n]; next !== undefined && byTitle(next, row) < 0; next = other[n]) {
      merged.push(next);
      n++;
      await turn();
    }
    merged.push(row);
    await turn();
  }
  return merged.concat(other.slice(n));
}

function byTitle(a: WindowRow, b: WindowRow): number {
  return titles.compare(a.edition.manifest.title, b.edition.manifest.title) || bySlug(a, b);
}

function bySlug(a: WindowRow, b: WindowRow): number {
  return a.edition.manifest.slug < b.edition.manifest.slug ? -1 : 1;
}

function makeRow(edition: Edition): WindowRow {
  const { title, description, publisher, tags, slug, authors } = edition.manifest;
  return {
    edition,
    title: fold(title),
    text: fold([title, publisher, ...authors, ...tags, slug, description].join('\n')),
  };
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function byFrequency(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || titles.compare(a, b))
    .map(([value]) => value);
}

/** Folds case, accents and character widths. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
