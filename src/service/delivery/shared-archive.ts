import type { OpenedArtefact } from '../../catalog/artefact-shelf.ts';

/** An archive of an item, the same bytes for everybody; `etag` is the SHA-256 of them. */
export type SharedArchive = {
  readonly slug: string;
  readonly body: OpenedArtefact;
  readonly length: number;
  readonly etag: string;
  /** Queues the row of a download. */
  readonly count: () => void;
};
