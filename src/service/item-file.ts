import type { Principal } from '../access/principal.ts';
import type { OpenedArtefact } from '../catalog/artefact-shelf.ts';
import { type Catalog, findBySlug } from '../catalog/catalog.ts';
import type { Edition, EditionFile } from '../catalog/edition.ts';
import { contentSlice } from '../catalog/file-content.ts';
import type { ItemKind } from '../item/item.ts';
import { Refusal } from '../refusal.ts';
import { type Access, notFound } from './access.ts';
import type { Artefacts } from './artefacts.ts';

/** One file of an item: bytes `start` to `end` (exclusive) of the file JSON are its content, still to be decoded. */
export type OpenedFile = {
  readonly file: EditionFile;
  readonly artefact: OpenedArtefact;
  readonly start: number;
  readonly end: number;
};

type Setting = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly artefacts: Pick<Artefacts, 'open'>;
};

/** Opens one file of an item as a page may show it. Refuses not-found, unauthenticated, access-denied and tarball-failed. */
export function createReadItemFile({ catalog, access, artefacts }: Setting) {
  return async (principal: Principal, kind: ItemKind, slug: string, path: string): Promise<OpenedFile> => {
    const edition = findBySlug(catalog(), slug, kind);
    if (edition === undefined) throw notFound(slug);
    await access(principal, edition, 'read', path);
    const file = edition.files.find((one) => one.path === path);
    if (file === undefined) throw noSuchFile(edition, path);
    return { file, artefact: await artefacts.open(edition, 'files'), ...contentSlice(file) };
  };
}

function noSuchFile({ manifest: { kind, slug } }: Edition, path: string): Refusal {
  return new Refusal(
    'not-found',
    `Cannot find "${path.slice(0, 200)}" in "${slug}": its files are listed at /${kind}s/${slug}`,
  );
}
