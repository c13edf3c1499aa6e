import type { ItemKind } from '../platform/base/principal.ts';

/**
 * The states of an edition: `served` now, `kept` and still available, `gone` because its archive was deleted, or `withdrawn` by
 * the publisher.
 */
export const EDITION_STATES = ['served', 'kept', 'gone', 'withdrawn'] as const;

type EditionState = (typeof EDITION_STATES)[number];

/**
 * An edition when it is first served. `tar` is the reference to its archive as JSON. `manifest` has, as JSON, the values of
 * item.yaml that belong to this edition.
 */
export type ServedEdition = {
  readonly kind: ItemKind;
  readonly itemKey: string;
  readonly digest: string;
  readonly slug: string;
  readonly version: string | null;
  readonly size: number;
  readonly files: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly notes: string | null;
  readonly tar: string;
  readonly tarSize: number;
  readonly manifest: string;
  readonly wasFree: 0 | 1;
  /** The paths of changed files, as JSON; null for an item's first edition. */
  readonly changedFiles: string | null;
  /** The result of `isStayingVersion`, given by the caller, since the thread that writes does not load that function. */
  readonly staysVersion: boolean;
};

export type KnownEdition = Omit<ServedEdition, 'files' | 'changedFiles' | 'staysVersion'> & {
  readonly firstServedAt: number;
  readonly state: EditionState;
};

export type DatedEdition = Omit<
  KnownEdition,
  'kind' | 'itemKey' | 'slug' | 'notes' | 'tar' | 'tarSize' | 'manifest' | 'wasFree'
>;

/**
 * `editions` is how many editions of an item keep their archives, the served one included. Those installed since
 * `installedSince`, and those in `needed`, keep theirs too. `bytes` limits all superseded archives together, without these
 * exceptions.
 */
export type KeepLimits = {
  readonly editions: number;
  readonly bytes: number;
  readonly installedSince: number;
  readonly needed: readonly EditionName[];
};

/**
 * A commit of an item's repository: `number` counts from 1, `body` is the commit as git writes it, `at` is in milliseconds
 * since 1970.
 */
export type GitCommit = Pick<KnownEdition, 'kind' | 'itemKey' | 'digest'> & {
  readonly number: number;
  readonly tree: string;
  readonly id: string;
  readonly body: string;
  readonly at: number;
};

export type EditionName = Pick<KnownEdition, 'kind' | 'itemKey' | 'digest'>;

/**
 * An older edition that an item serves instead of the one in its folder. `ownDigest` is the digest of the edition in the
 * folder; null until a publish stores it.
 */
export type Rollback = EditionName &
  Pick<KnownEdition, 'version' | 'tar' | 'manifest'> & { readonly ownDigest: string | null };
