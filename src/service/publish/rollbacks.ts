import type { Edition } from '../../catalog/edition.ts';
import { mergeManifest } from '../../catalog/edition-manifest.ts';
import { itemKey } from '../../item/item.ts';
import { error, type Problem, quote, warning } from '../../item/problem.ts';
import type { Store } from '../../store/store.ts';
import type { Rollback } from '../../store/tables/rollbacks.ts';
import type { Publication } from './publication.ts';
import { withholdEdition } from './withheld.ts';
import { ROLLED_BACK } from './report.ts';
import { mapInTurns } from '../../turn.ts';
import type { RestoredEditions } from './restored-editions.ts';

/**
 * A publication in two forms: `own` is saved for the next pass, `served` is served. They differ if the item was rolled
 * back.
 */
export type Outcome = { readonly own: Publication; readonly served: Publication };

/** The outcomes of a pass in order, and which editions are never served again. */
export type Decided = {
  readonly outcomes: readonly Outcome[];
  readonly isWithdrawn: (edition: Edition) => boolean;
};

type Dependencies = {
  readonly restored: RestoredEditions;
  readonly store: Store;
  readonly onFault: (cause: unknown) => void;
};

type Standing = {
  readonly rollbacks: ReadonlyMap<string, Rollback>;
  readonly withdrawn: ReadonlySet<string>;
  readonly saved: ReadonlyMap<string, Edition>;
};

/** Replaces the editions of items that were rolled back, and withholds withdrawn ones. */
export function createRollbacks({ restored, store, onFault }: Dependencies) {
  const decide = async (publication: Publication, standing: Standing): Promise<Outcome> => {
    const { edition } = publication;
    if (edition === null) return { own: publication, served: publication };
    const rollback = standing.rollbacks.get(nameOf(edition));
    const isWithdrawn = standing.withdrawn.has(`${nameOf(edition)} ${edition.digest}`);
    if (rollback === undefined) return isWithdrawn ? withhold(publication, standing) : same(publication);
    if (!isWithdrawn && isOver(rollback, edition)) {
      restored.forget(edition);
      await store.write('endRollback', rollback).catch(onFault);
      return same(publication);
    }
    const found = await restored.restore(edition, rollback, mergeManifest(edition.manifest, rollback));
    if ('artefacts' in found) return rollBack(publication, edition, rollback, found, isWithdrawn);
    // One that could never be served is not tried again.
    if (rollback.ownDigest === null) await store.write('endRollback', rollback).catch(onFault);
    const told = { ...publication, problems: [...publication.problems, found] };
    return isWithdrawn ? withhold(told, standing) : same(told);
  };

  const rollBack = async (
    publication: Publication,
    own: Edition,
    rollback: Rollback,
    edition: Edition,
    isWithdrawn: boolean,
  ): Promise<Outcome> => {
    if (rollback.ownDigest === null)
      await store.write('settleRollback', { ...rollback, ownDigest: own.digest }).catch(onFault);
    const problems = [...publication.problems, rolledBack(rollback)];
    // Its bytes go, but what its item.yaml says today is kept.
    const kept = isWithdrawn ? { ...own, artefacts: {} } : own;
    return {
      own: { ...publication, edition: kept, isFresh: publication.isFresh || isWithdrawn },
      served: { ...publication, edition, isFresh: false, problems },
    };
  };

  return {
    /** Decides what each publication serves; `saved` are the last good editions of the folders. */
    async decide(
      publications: readonly Publication[],
      saved: ReadonlyMap<string, Edition>,
    ): Promise<Decided> {
      const [rollbacks, withdrawn] = await Promise.all([store.listRollbacks(), store.listWithdrawn()]);
      const standing: Standing = {
        rollbacks: new Map(rollbacks.map((rollback) => [`${rollback.kind} ${rollback.itemKey}`, rollback])),
        withdrawn: new Set(withdrawn.map(({ kind, itemKey: key, digest }) => `${kind} ${key} ${digest}`)),
        saved,
      };
      return {
        outcomes: await mapInTurns(publications, (publication) => decide(publication, standing)),
        isWithdrawn: (edition) => standing.withdrawn.has(`${nameOf(edition)} ${edition.digest}`),
      };
    },
  };
}

const same = (publication: Publication): Outcome => ({ own: publication, served: publication });

const nameOf = ({ manifest }: Edition): string => `${manifest.kind} ${itemKey(manifest)}`;

/** Whether the folder has changed since it was rolled back, or has become the edition that was wanted. */
function isOver({ digest, ownDigest }: Rollback, own: Edition): boolean {
  return own.digest === digest || (ownDigest !== null && ownDigest !== own.digest);
}

/** Serves the last good edition instead of a withdrawn one, unless that was withdrawn too. */
function withhold(publication: Publication, { saved, withdrawn }: Standing): Outcome {
  const before = saved.get(`${publication.kind} ${publication.slug}`) ?? null;
  const isGood = before !== null && !withdrawn.has(`${nameOf(before)} ${before.digest}`);
  return same(withholdEdition(publication, isGood ? before : null, WITHDRAWN));
}

const WITHDRAWN: Problem = error(
  'withdrawn',
  '',
  'Cannot serve these files: this edition was withdrawn',
  'Change the files; a withdrawn edition is never served again',
);

function rolledBack({ version, digest }: Rollback): Problem {
  const name = version === null ? `sha256:${digest.slice(0, 12)}` : quote(version);
  return warning(
    ROLLED_BACK,
    '',
    `The item was rolled back: its edition ${name} is served instead of these files`,
    'Change the files to end that',
  );
}
