import type { Http as HttpOf } from '../platform/http/http.ts';
import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Stall as Reading } from '../reading/stall.ts';
import type { TagPacks } from './git/tag-pack.ts';
import type { Repositories } from './repositories.ts';

type Reads = object;
type Writes = object;

export type Stall = Reading & {
  readonly store: StoreOf<Reads, Writes>;
  readonly repositories: Repositories;
  readonly tagPacks: TagPacks;
};

export type Store = Stall['store'];

export type Http = HttpOf<Stall>;
