import type { AgentPrincipal, Principal, ItemKind } from '../platform/base/principal.ts';
import type { OpenedArtefact } from '../catalog/artefact-cache.ts';
import type { Edition, EditionFile } from '../catalog/catalog.ts';
import { contentSlice } from '../catalog/file-content.ts';
import type { CoverForm } from '../catalog/cover-job.rule.ts';
import { pathOfFormat } from '../catalog/path.rule.ts';
import { isUnpublished } from '../catalog/item.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { access, may, seenBy, servedById, servedBySlug } from '../accounts/access.ts';
import { artefactOf } from '../catalog/artefacts.ts';
import type { QueryOf } from '../platform/http/http.ts';
import { flag, partial, text } from '../platform/http/shape.ts';
import type { Stall } from './stall.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { countFile, refuseEmpty } from '../catalog/counted-download.ts';

export const MOST_FILE_BYTES = 64 * 1024 * 1024;

export const FILES_QUERY = partial({
  path: text('One file alone.'),
  content: flag('Whether contents are given too.', true),
});

/**
 * Lists the files of a book by id, or of a skill by slug. Refuses not-found, access-denied, no-content,
 * invalid-request, payload-too-large.
 */
export async function listFiles(
  stall: Stall,
  principal: Principal,
  {
    kind,
    name,
    query,
  }: { readonly kind: ItemKind; readonly name: string; readonly query: QueryOf<typeof FILES_QUERY> },
) {
  const withContent = readContentFlag(query.content);
  const edition =
    kind === 'book' ? servedById(stall, principal, name) : servedBySlug(stall, principal, name, kind);
  access(stall, principal, { edition, action: 'files' });
  refuseEmpty(edition);
  const file =
    query.path === undefined ? null : fileOf(edition, query.path, '?content=false lists its files');
  if (!withContent) return listHashes(edition, file === null ? edition.files : [file]);
  if (file === null && edition.size > MOST_FILE_BYTES)
    throw new Refusal(
      'payload-too-large',
      `Cannot give the files of "${edition.manifest.slug}" in one answer: they hold ${edition.size} bytes together, over ${MOST_FILE_BYTES}; ask for one with ?path=, or for hashes with ?content=false`,
    );
  const artefact = await stall.artefacts.open(edition, 'files');
  const { sha256, size } = artefactOf(edition, 'files');
  if (file === null)
    return { edition, etag: `"${sha256}"`, body: { artefact, start: 0, end: size, isWhole: true } };
  return { edition, etag: etagOf(sha256, file.path), body: { artefact, ...file.json, isWhole: false } };
}

function listHashes(edition: Edition, files: readonly EditionFile[]) {
  const text = `${JSON.stringify({ files: files.map(({ path, sha256 }) => ({ path, sha256 })) })}\n`;
  return { edition, etag: etagOf(edition.digest, text), body: { text } };
}

function readContentFlag(text: string | undefined): boolean {
  if (text === undefined || text === 'true') return true;
  if (text === 'false') return false;
  throw Refusal.invalid(`Cannot read content "${text.slice(0, 20)}": give true or false`);
}

const etagOf = (...parts: readonly string[]): string => `"${sha256(parts.join('\n'))}"`;

/**
 * Finds the item with this slug or former slug, to show its page. Those who may edit the item get the draft or announcement of
 * a served one, if there is one. Refuses not-found.
 */
export function seeItem(stall: Stall, principal: AgentPrincipal, slug: string): Edition {
  const edition = seenBy(principal, servedBySlug(stall, principal, slug));
  access(stall, principal, { edition, action: 'look' });
  return edition;
}

export async function readItemFile(
  stall: Stall,
  principal: Principal,
  { kind, slug, path }: { readonly kind: ItemKind; readonly slug: string; readonly path: string },
) {
  const edition = seenBy(principal, servedBySlug(stall, principal, slug, kind));
  access(stall, principal, { edition, action: 'read', path });
  const opened = await openItemFile(stall, edition, path);
  const { formats } = edition.manifest;
  const isFormat = formats.map(pathOfFormat).includes(path);
  const count = (isFirst: boolean): void => {
    // Files of a draft or an announcement are not counted as downloads.
    if (isFormat && !isUnpublished(edition.manifest))
      countFile(stall, { principal, edition, file: opened.file, isFirst });
  };
  return { ...opened, isFormat, count };
}

/** Opens one file of an item; the caller has checked access. Refuses not-found and tarball-failed. */
export async function openItemFile(
  { artefacts }: Stall,
  edition: Edition,
  path: string,
): Promise<OpenedFile> {
  const file = fileOf(edition, path);
  return { edition, file, artefact: await artefacts.open(edition, 'files'), ...contentSlice(file) };
}

/** An opened file of an item. Its content is encoded in the bytes from `start` to `end` (exclusive) of the edition's JSON. */
export type OpenedFile = {
  readonly edition: Edition;
  readonly file: EditionFile;
  readonly artefact: OpenedArtefact;
  readonly start: number;
  readonly end: number;
};

export const openCover = (stall: Stall, edition: Edition): Promise<OpenedFile> =>
  openItemFile(stall, edition, edition.manifest.cover ?? '');

export const openSmallCover = ({ smallCovers }: Stall, edition: Edition, form?: CoverForm) =>
  smallCovers.open(edition, fileOf(edition, edition.manifest.cover ?? ''), form);

export async function readItemText(
  stall: Stall,
  principal: Principal,
  { edition, path, most }: { readonly edition: Edition; readonly path: string; readonly most: number },
): Promise<string | null> {
  const file = edition.files.find((one) => one.path === path);
  if (file === undefined || !file.text || file.size > most) return null;
  return may(stall, principal, { edition, action: 'read', path })
    ? stall.artefacts.read(edition, path)
    : null;
}
function fileOf(edition: Edition, path: string, hint?: string): EditionFile {
  const file = edition.files.find((one) => one.path === path);
  if (file !== undefined) return file;
  const { kind, slug } = edition.manifest;
  const name = path.slice(0, 200);
  if (hint !== undefined) throw Refusal.missing(`Cannot find "${name}" in "${slug}": ${hint}`);
  const page = `/${kind}s/${slug}`;
  throw new ToldRefusal('not-found', ({ reading }) => reading.noFile({ path: name, slug, page }));
}
