import type { AgentPrincipal, Principal } from '../access/principal.ts';
import { findBySlug } from '../catalog/catalog.ts';
import type { Edition, EditionFile } from '../catalog/edition.ts';
import type { OpenedPage, WantedPart } from '../catalog/reading/reading-pages.ts';
import type { ItemKind } from '../item/item.ts';
import { Refusal } from '../refusal.ts';
import { access, notFound, seenBy } from './access.ts';
import { type ContentsEntry, listContents } from './contents.ts';
import type { Stall } from './stall.ts';

/** A text of an item as opened by a principal. If they may not read it, `page` is null and `refusal` says why. */
export type OpenedText = {
  readonly edition: Edition;
  readonly file: EditionFile;
  readonly contents: readonly ContentsEntry[];
  readonly page: OpenedPage | null;
  readonly refusal: Refusal | null;
};

/** The most passages that a search shows. */
const MOST_FOUND = 20;

/** Opens a part of a text. Those who may not read it get everything but its page. Refuses not-found. */
export async function openText(
  stall: Stall,
  principal: Principal,
  { kind, slug, path }: { readonly kind: ItemKind; readonly slug: string; readonly path: string },
  part: WantedPart,
): Promise<OpenedText> {
  const edition = find(stall, principal, kind, slug);
  const refusal = await refusalOf(stall, principal, edition, path);
  const file = edition.files.find((one) => one.path === path);
  if (file === undefined || !file.text) throw notFound(`${slug}/${path}`);
  const page = refusal === null ? await stall.pages.open(edition, file, part) : null;
  if (refusal === null && page === null) throw notFound(`${slug}/${path}`);
  return { edition, file, page, refusal, contents: await listContents(stall, edition) };
}

/** The path of the chapter read last, else of the first that the principal may read, else of the first. Refuses not-found. */
export async function findFirstText(
  stall: Stall,
  principal: Principal,
  kind: ItemKind,
  slug: string,
): Promise<{ readonly edition: Edition; readonly path: string }> {
  const edition = find(stall, principal, kind, slug);
  await lookOrRead(stall, principal, edition);
  const last = await stall.readingPlaces.find(principal, edition);
  if (last !== null && edition.files.some(({ path, text }) => path === last && text))
    return { edition, path: last };
  const paths = (await listContents(stall, edition)).map((entry) => entry.path);
  const refused = await Promise.all(paths.map((path) => refusalOf(stall, principal, edition, path)));
  const first = paths.find((_, n) => refused[n] === null) ?? paths[0];
  if (first === undefined) throw notFound(`${slug}/read`);
  return { edition, path: first };
}

/** The passages of a book that match best; of its samples, if the principal may not read it whole. Refuses not-found. */
export async function searchBook(stall: Stall, principal: Principal, slug: string, words: string) {
  const edition = find(stall, principal, 'book', slug);
  await lookOrRead(stall, principal, edition);
  // Closed text is in no index of theirs: it would tell by ranks, counts and synonyms which words it holds.
  const kind = (await refusalOf(stall, principal, edition, '')) === null ? 'index' : 'sample';
  const isIndexed = words !== '' && edition.artefacts[kind] !== undefined;
  const passages = isIndexed ? (await stall.indexes.search(edition, words, MOST_FOUND, kind)).passages : [];
  return { edition, contents: await listContents(stall, edition), passages };
}

function find({ catalog }: Stall, principal: Principal, kind: ItemKind, slug: string): Edition {
  const edition = findBySlug(catalog(), slug, kind);
  if (edition === undefined) throw notFound(slug);
  return seenBy(principal, edition);
}

/** Refuses an item whose page the principal may not see, unless they may read its files. */
export async function lookOrRead(stall: Stall, principal: AgentPrincipal, edition: Edition): Promise<void> {
  await access(stall, principal, edition, 'look').catch(() => access(stall, principal, edition, 'read'));
}

/** Why the principal may not read the file; null if they may. Refuses not-found. */
async function refusalOf(
  stall: Stall,
  principal: Principal,
  edition: Edition,
  path: string,
): Promise<Refusal | null> {
  try {
    await access(stall, principal, edition, 'read', path);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'not-found') throw error;
    return error;
  }
}
