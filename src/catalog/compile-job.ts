import type { ItemDefaults } from './stall-manifest.rule.ts';
import type { Limits } from '../platform/base/item-limits.ts';
import type { Problem } from '../platform/base/problem.ts';
import type { Edition } from './catalog.ts';
import type { ItemKind } from '../platform/base/principal.ts';

/** The folder of an item, with the values that stall.yaml gives for keys that the item.yaml lacks. */
export type ItemFolder = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly folder: string;
  readonly defaults?: ItemDefaults;
  /**
   * Whether `questions.yaml` is distributed like other files. This was so in editions that were made before stalls used
   * this file.
   */
  readonly sharesQuestions?: boolean;
  readonly isPushed?: boolean;
};

/**
 * A request to compile an item if it changed. `rebuild` is true if a damaged artefact must be made again. An item that
 * changed after `settledBefore` (milliseconds since 1970, or null) is not compiled.
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
