import type { Limits } from '../item/limit.ts';
import type { Problem } from '../item/problem.ts';
import type { Edition } from './edition.ts';
import type { ItemFolder } from './scan.ts';

/**
 * One item to bring up to date. `rebuild` is true if an artefact turned out broken and must be made again. If
 * `settledBefore` is a time, in milliseconds since 1970, an item that changed after it is not compiled.
 */
export type RefreshJob = {
  readonly item: ItemFolder;
  readonly previous: Edition | null;
  readonly dataDirectory: string;
  readonly limits: Limits;
  readonly rebuild: boolean;
  readonly settledBefore: number | null;
};

/** `edition` is null if the item has an error, or if it `isChanging`; its last good edition is then served. */
export type Refreshed = {
  readonly edition: Edition | null;
  readonly problems: readonly Problem[];
  readonly isChanging: boolean;
};
