import type { Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import type { NewAuditEntry } from '../../store/tables/audit-log.ts';
import { mapInTurns } from '../../turn.ts';
import type { EditionHistory } from './edition-history.ts';
import type { Renames } from './former-slugs.ts';

/** Tells the store which items exist, so that grants can name them, and which editions they have; `at` is the time of the publish. */
export function createItemRecords(store: Store, history: EditionHistory) {
  return async (
    editions: readonly Edition[],
    renames: Renames | null,
    audits: readonly NewAuditEntry[],
    at: number,
  ): Promise<void> => {
    const items = await mapInTurns(editions, ({ manifest, digest }) => ({
      kind: manifest.kind,
      itemKey: itemKey(manifest),
      slug: manifest.slug,
      edition: manifest.status === 'published' ? `${digest} ${manifest.version}` : null,
    }));
    const { editions: fresh, noteRecorded } = await history.findNew(editions);
    const formerSlugs = renames?.changed;
    const renamed = formerSlugs === undefined ? {} : { formerSlugs };
    const replaced = await store.write('publishItems', { items, at, editions: fresh, audits, ...renamed });
    renames?.noteStored();
    noteRecorded();
    await history.forget(replaced, fresh);
  };
}
