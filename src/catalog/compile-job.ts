import type { ItemDefaults } from './stall-manifest.rule.ts';
import type { Limits } from '../platform/base/item-limits.ts';
import type { Problem } from '../platform/base/problem.ts';
import type { Edition } from './catalog.ts';
import type { ItemKind } from '../platform/base/principal.ts';

/** An item's folder. `defaults` are the values in stall.yaml for keys that the item.yaml lacks. */
export type ItemFolder = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly folder: string;
  readonly defaults?: ItemDefaults;
  /**
   * Whether `questions.yaml` is distributed like other files, as in editions made before the stall gave this file a meaning.
   */
  readonly sharesQuestions?: boolean;
  readonly isPushed?: boolean;
};

/**
 * A request to compile an item if it changed. `rebuild` is true if a damaged artefact must be made again. An item that
 * changed after `settledBefore` (milliseconds since 1970; null for no limit) is not compiled.
 */
export type RefreshJob = {
  readonly item: ItemFolder;
  readonly previous: Edition | null;
  readonly dataDirectory: string;
  readonly limits: Limits;
  readonly rebuild: boolean;
  readonly settledBefore: number | null;
};

/**
 * The result of compiling an item. `edition` is null if the item has an error, or if its files are changing just now
 * (`isChanging`): the stall then goes on serving the edition that it had.
 */
export type Refreshed = {
  readonly edition: Edition | null;
  readonly problems: readonly Problem[];
  readonly isChanging: boolean;
};
