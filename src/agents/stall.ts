import type { Http as HttpOf } from '../platform/http/http.ts';
import type { FindDocument } from './client-document.ts';
import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Stall as Asking } from '../asking/stall.ts';
import type { Stall as Selling } from '../selling/stall.ts';
import type { Stall as Installing } from '../installing/stall.ts';

type Reads = object;
type Writes = object;

export type Stall = Asking &
  Selling &
  Installing & {
    readonly store: StoreOf<Reads, Writes>;
    readonly findClientDocument: FindDocument;
  };

export type Http = HttpOf<Stall>;
