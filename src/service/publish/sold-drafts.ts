import type { Artefact } from '../../catalog/artefact.ts';
import { type Edition, keyOf } from '../../catalog/edition.ts';
import { mergeManifest, pickManifest } from '../../catalog/edition-manifest.ts';
import { keepTar } from '../../catalog/kept-editions.ts';
import { itemKey } from '../../item/item.ts';
import { type Problem, quote, warning } from '../../item/problem.ts';
import type { Store } from '../../store/store.ts';
import type { KnownEdition } from '../../store/tables/editions.ts';
import { mapInTurns } from '../../turn.ts';
import { SOLD_DRAFT } from './report.ts';
import type { RestoredEditions } from './restored-editions.ts';
import type { Outcome } from './rollbacks.ts';

type Dependencies = {
  readonly dataDirectory: string;
  readonly store: Store;
  readonly restored: RestoredEditions;
  readonly now: () => number;
};

/**
 * Has a draft serve the edition that its item served last, as if the item were archived: those who hold it keep it, and
 * nobody else sees any of it. A draft that was never published is left as it is.
 */
export function createSoldDrafts({ dataDirectory, store, restored, now }: Dependencies) {
  /** The same object each time, so that what is prepared for an edition is prepared once. */
  const made = new Map<string, { readonly base: Edition; readonly edition: Edition }>();

  const archive = (base: Edition, draft: Edition): Edition => {
    const known = made.get(keyOf(draft));
    if (known?.base === base && known.edition.draft === draft) return known.edition;
    const edition = { ...base, manifest: { ...base.manifest, status: 'archived' as const }, draft };
    made.set(keyOf(draft), { base, edition });
    return edition;
  };

  /** The last served edition with today's texts: the draft itself if its files are the same, else from the kept archive. */
  const findBase = async (draft: Edition, last: KnownEdition): Promise<Edition | Problem> => {
    if (draft.digest === last.digest && pickManifest(draft.manifest) === last.manifest) return draft;
    // It may still be the edition that the next pass supersedes; if it is nowhere, restoring says so.
    await keepTar(dataDirectory, JSON.parse(last.tar) as Artefact).catch(() => {});
    return restored.restore(draft, last, mergeManifest(draft.manifest, last));
  };

  const decide = async (outcome: Outcome): Promise<Outcome> => {
    const { own, served } = outcome;
    const draft = own.edition;
    if (draft?.manifest.status !== 'draft' || served.edition === null) return outcome;
    const { kind } = draft.manifest;
    const key = itemKey(draft.manifest);
    const isRolledBack = served.edition !== draft;
    const last = isRolledBack ? null : await store.findServedEdition(kind, key);
    if (last === null && !isRolledBack) return outcome;
    const base = last === null ? served.edition : await findBase(draft, last);
    if (!('artefacts' in base)) return withProblem(outcome, base);
    const edition = archive(base, draft);
    const grantKeys = await store.listGrantKeys(kind, key);
    const holders = await store.countHolders({ kind, grantKeys, now: now() });
    const said = holders === 0 ? [] : [soldDraft(edition, holders)];
    return { own, served: { ...served, edition, isFresh: false, problems: [...served.problems, ...said] } };
  };

  return (outcomes: readonly Outcome[]): Promise<readonly Outcome[]> => mapInTurns(outcomes, decide);
}

function withProblem({ own, served }: Outcome, problem: Problem): Outcome {
  return {
    own: { ...own, problems: [...own.problems, problem] },
    served: { ...served, problems: [...served.problems, problem] },
  };
}

function soldDraft({ digest, manifest: { version } }: Edition, holders: number): Problem {
  const name = version === null ? `sha256:${digest.slice(0, 12)}` : quote(version);
  const who = holders === 1 ? '1 account that holds it' : `${holders} accounts that hold it`;
  return warning(
    SOLD_DRAFT,
    'item.yaml',
    `This draft was sold: ${who} can still get its last published edition, ${name}`,
    'Write "status: archived" to stop selling it, or "status: published" to serve these files',
  );
}
