import compare from 'semver/functions/compare';
import satisfies from 'semver/functions/satisfies';
import valid from 'semver/functions/valid';
import type { KnownEdition } from './edition.rule.ts';

/**
 * A version that stays: by Semantic Versioning 2.0.0, and for good that of the edition which was first served under it.
 * `state` is that edition's: only if it is `served` or `kept` are there files to install.
 */
export type KnownVersion = Pick<KnownEdition, 'digest' | 'state' | 'firstServedAt' | 'manifest'> & {
  readonly version: string;
};

/**
 * A git tag: a commit without parents, with the files of the edition that has a version. `body` is git's text of the commit;
 * `texts` are the files in it that the edition lacks, as pairs of path and content in JSON.
 */
export type KnownTag = Pick<KnownEdition, 'digest' | 'wasFree'> & {
  readonly name: string;
  readonly id: string;
  readonly body: string;
  readonly texts: string;
};

export type NewTag = Pick<KnownTag, 'id' | 'body' | 'texts'> &
  Pick<KnownEdition, 'kind' | 'itemKey' | 'slug'> & { readonly version: string };

/**
 * Whether a version may stay. One with build metadata may not, since for a range `1.0.0+a` and `1.0.0+b` are the same; nor
 * one with an ending that git refuses in the name of a tag.
 */
export const isStayingVersion = (version: string | null): version is string =>
  version !== null && valid(version) === version && !version.endsWith('.lock');

export const hasFiles = ({ state }: Pick<KnownVersion, 'state'>): boolean =>
  state === 'served' || state === 'kept';

/** Returns those of the versions that satisfy a range as npm's `semver` reads it, the highest first. */
export const satisfying = <Version extends Pick<KnownVersion, 'version'>>(
  versions: readonly Version[],
  range: string,
): readonly Version[] =>
  versions
    .filter(({ version }) => satisfies(version, range))
    .toSorted((one, other) => compare(other.version, one.version));
