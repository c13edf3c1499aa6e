import compare from 'semver/functions/compare';
import satisfies from 'semver/functions/satisfies';
import valid from 'semver/functions/valid';
import type { KnownEdition } from './edition.rule.ts';

/**
 * A version, by Semantic Versioning 2.0.0, that belongs for good to the edition first served under it. `state` is the state of
 * that edition: there are files to install only if it is `served` or `kept`.
 */
export type KnownVersion = Pick<KnownEdition, 'digest' | 'state' | 'firstServedAt' | 'manifest'> & {
  readonly version: string;
};

/**
 * A git tag: a commit without parents, with the files of the edition that has the version. `body` is the commit as git writes
 * it. `texts` are the files that the commit has and the edition lacks, as JSON pairs of path and content.
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
 * Whether a version may belong to one edition for good. Build metadata is refused, since ranges take `1.0.0+a` and `1.0.0+b`
 * for the same version, and so is the ending ".lock", which git refuses in the name of a tag.
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
