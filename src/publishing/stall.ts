import type { Http as HttpOf } from '../platform/http/http.ts';
import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Stall as Asking } from '../asking/stall.ts';
import type { Stall as Selling } from '../selling/stall.ts';
import type { Stall as Installing } from '../installing/stall.ts';
import type { publishKeyReads, publishKeyWrites } from './publish-key.sql.ts';
import type { Actor } from '../platform/base/principal.ts';
import type { NewAuditEntry } from '../platform/store/audit-log.sql.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import type { CheckedFolder } from './check.ts';
import type { ImportedUpload, UploadJob } from './manuscript/upload.ts';
import type { Publication, PublishReport } from './publication.ts';
import type { PushPlaces } from './push-places.ts';
import type { ItemFolder } from '../catalog/compile-job.ts';

type Reads = ReturnType<typeof publishKeyReads>;
type Writes = ReturnType<typeof publishKeyWrites>;

export type Stall = Asking &
  Selling &
  Installing & {
    readonly store: StoreOf<Reads, Writes>;
    readonly report: () => PublishReport | null;
    /** Publishes the content while the old catalog is served. Resolves once the new catalog is served. */
    readonly publish: (by: Actor | null, audit?: NewAuditEntry) => Promise<readonly Publication[]>;
    readonly checkItem: (item: ItemFolder) => Promise<CheckedFolder>;
    readonly readItem: (item: ItemFolder) => Promise<Manifest | null>;
    readonly pushes: PushPlaces;
    readonly importUpload: (job: UploadJob) => Promise<ImportedUpload>;
  };

export type Store = Stall['store'];

export type Records = Pick<Stall, 'store' | 'now'>;

export type Http = HttpOf<Stall>;
