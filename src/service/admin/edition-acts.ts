import type { Actor } from '../../access/actor.ts';
import type { Artefact } from '../../catalog/artefact.ts';
import { removeTars } from '../../catalog/kept-editions.ts';
import { Refusal } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';
import type { KnownEdition } from '../../store/tables/editions.ts';
import { describeActs } from '../audit-entry.ts';

/** Lists, rolls back and withdraws editions. Both acts are followed by a publish, which serves what they say. */
export function createEditionActs(store: Store, dataDirectory: string, by: Actor, now: () => number) {
  const act = describeActs(by, now);

  const list = async (slug: string): Promise<readonly KnownEdition[]> => {
    const item = await store.findKnownItem(slug);
    if (item === null)
      throw new Refusal(
        'not-found',
        `Cannot find "${slug}": no item of this name was published; "bookstall check" lists the items`,
      );
    return store.listEditions(item.kind, item.itemKey);
  };

  const find = async (slug: string, wanted: string): Promise<KnownEdition> => {
    const all = await list(slug);
    const named = all.filter(({ version, digest }) => version === wanted || isDigest(wanted, digest));
    const found = named.find(({ state }) => state !== 'withdrawn') ?? named[0];
    if (found !== undefined) return found;
    throw new Refusal(
      'not-found',
      `Cannot find the edition "${wanted.slice(0, 80)}" of "${slug}"; "bookstall editions ${slug}" lists them`,
    );
  };

  return {
    /** Every edition of an item, the newest first. Refuses not-found. */
    list,
    /** The disk space of the kept editions of all items. */
    sumKept: store.sumKeptEditions,
    /** Finds an edition by version (its newest that is not withdrawn) or digest. Refuses not-found. */
    find,
    /** Has an item serve a kept edition from the next publish on. Refuses not-found, and gone if it is not kept. */
    async rollBack(slug: string, wanted: string): Promise<KnownEdition> {
      const found = await find(slug, wanted);
      const audit = act('item.rollback', slug, { edition: nameOf(found) });
      const { kind, itemKey, digest } = found;
      if (await store.write('rollBack', { kind, itemKey, digest, at: now(), audit })) return found;
      throw new Refusal('gone', `Cannot roll "${slug}" back to ${named(found)}: ${NOT_KEPT[found.state]}`);
    },
    /** Withdraws an edition for good and deletes its kept archive. Refuses not-found, and invalid-request if it is served. */
    async withdraw(slug: string, wanted: string): Promise<KnownEdition> {
      const found = await find(slug, wanted);
      const audit = act('item.withdraw', slug, { edition: nameOf(found) });
      const { kind, itemKey, digest } = found;
      const tar = await store.write('withdrawEdition', { kind, itemKey, digest, audit });
      if (tar !== null) await removeTars(dataDirectory, [JSON.parse(tar) as Artefact]);
      else if (found.state !== 'withdrawn')
        throw new Refusal(
          'invalid-request',
          `Cannot withdraw ${named(found)} of "${slug}": it is served; roll back to another edition first`,
        );
      return found;
    },
  };
}

const NOT_KEPT: Readonly<Record<KnownEdition['state'], string>> = {
  served: 'it is served already',
  kept: 'it changed in between; try again',
  gone: 'its archive is no longer kept; choose one that is',
  withdrawn: 'it was withdrawn; choose another one',
};

/** Whether the text is `sha256:` and a digest, or the first eight or more digits of it. */
function isDigest(wanted: string, digest: string): boolean {
  const digits = wanted.replace(/^sha256:/, '');
  return /^[0-9a-f]{8,64}$/.test(digits) && digest.startsWith(digits);
}

function nameOf({ version, digest }: KnownEdition): string {
  return version ?? `sha256:${digest}`;
}

function named(edition: KnownEdition): string {
  return `"${nameOf(edition)}"`;
}
