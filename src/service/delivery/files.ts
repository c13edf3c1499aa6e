import { createHash } from 'node:crypto';
import type { Principal } from '../../access/principal.ts';
import type { OpenedArtefact } from '../../catalog/artefact-shelf.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { Edition, EditionFile } from '../../catalog/edition.ts';
import type { ItemKind } from '../../item/item.ts';
import { Refusal } from '../../refusal.ts';
import { type Access, notFound } from '../access.ts';
import { type Artefacts, artefactOf } from './artefacts.ts';
import { refuseEmpty } from './install.ts';

/** The most bytes of files that one JSON answer may hold. */
const MOST = 64 * 1024 * 1024;

/** The requested part of an item's files: all, one path, or paths and hashes alone. */
type FilesQuery = { readonly path: string | undefined; readonly content: string | undefined };

/** File records as JSON, all or a slice of them; `text` instead if contents are left out. `etag` is strong. */
export type FilesAnswer = {
  readonly edition: Edition;
  readonly etag: string;
  readonly body: { readonly text: string } | ArtefactSlice;
};

/** Bytes `start` to `end` (exclusive) of the file JSON: all of it, or one record that still needs its frame. */
type ArtefactSlice = {
  readonly artefact: OpenedArtefact;
  readonly start: number;
  readonly end: number;
  readonly isWhole: boolean;
};

type Dependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly artefacts: Artefacts;
};

/** Spec 4.3 and 4.4: a book by id, a skill by slug. Refuses not-found, access-denied, no-content, invalid-request, payload-too-large. */
export function createFiles({ catalog, access, artefacts }: Dependencies) {
  return async (
    principal: Principal,
    kind: ItemKind,
    name: string,
    query: FilesQuery,
  ): Promise<FilesAnswer> => {
    const withContent = readContentFlag(query.content);
    const edition = kind === 'book' ? catalog().byBookId.get(name) : findBySlug(catalog(), name, kind);
    if (edition === undefined) throw notFound(name);
    await access(principal, edition, 'files');
    refuseEmpty(edition);
    const file = query.path === undefined ? null : findFile(edition, query.path);
    if (!withContent) return listHashes(edition, file === null ? edition.files : [file]);
    if (file === null && edition.size > MOST) throw tooLarge(edition);
    const artefact = await artefacts.open(edition, 'files');
    const { sha256, size } = artefactOf(edition, 'files');
    if (file === null)
      return { edition, etag: `"${sha256}"`, body: { artefact, start: 0, end: size, isWhole: true } };
    return { edition, etag: etagOf(sha256, file.path), body: { artefact, ...file.json, isWhole: false } };
  };
}

function findFile(edition: Edition, path: string): EditionFile {
  const file = edition.files.find((one) => one.path === path);
  if (file !== undefined) return file;
  const { slug } = edition.manifest;
  throw new Refusal(
    'not-found',
    `Cannot find "${path.slice(0, 200)}" in "${slug}": ?content=false lists its files`,
  );
}

function listHashes(edition: Edition, files: readonly EditionFile[]): FilesAnswer {
  const text = `${JSON.stringify({ files: files.map(({ path, sha256 }) => ({ path, sha256 })) })}\n`;
  return { edition, etag: etagOf(edition.digest, text), body: { text } };
}

function readContentFlag(text: string | undefined): boolean {
  if (text === undefined || text === 'true') return true;
  if (text === 'false') return false;
  throw new Refusal('invalid-request', `Cannot read content "${text.slice(0, 20)}": give true or false`);
}

function tooLarge({ manifest, size }: Edition): Refusal {
  return new Refusal(
    'payload-too-large',
    `Cannot give the files of "${manifest.slug}" in one answer: they hold ${size} bytes together, over ${MOST}; ask for one with ?path=, or for hashes with ?content=false`,
  );
}

function etagOf(...parts: readonly string[]): string {
  return `"${createHash('sha256').update(parts.join('\n')).digest('hex')}"`;
}
