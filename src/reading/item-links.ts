import { playerOf, type Player } from '../catalog/path.rule.ts';
import { shownPicture } from '../catalog/picture.rule.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import { decoded, resolveLink } from '../platform/base/markdown-link.ts';

/** Resolves the addresses in a text for the page that shows it. The result is null for an address that leads nowhere. */
export type Links = {
  readonly href: (target: string) => string | null;
  readonly image: (target: string) => string | null;
  /** Finds the player for a recording or film of the item; without this function the text plays nothing. */
  readonly media?: (target: string) => { readonly tag: Player; readonly address: string } | null;
  /**
   * The size of an image in pixels, or another size of the same shape: with it a page reserves the place of the image while it
   * loads.
   */
  readonly sizeOf?: (target: string) => { readonly width: number; readonly height: number } | undefined;
};

/** Returns the address, trimmed, if it is a full http, https or mailto address; else null. */
export function outsideAddress(target: string): string | null {
  const address = target.trim();
  return /^(?:https?:\/\/[^\s/\\]|mailto:[^\s/\\])/i.test(address) && !/[\0-\x20\x7f]/.test(address)
    ? address
    : null;
}

/**
 * A text of an item: its path `from`, the `files` that its links may lead to, and `texts`, those of the files that have a
 * reading page.
 */
type TextPlace = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly from: string;
  readonly files: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  readonly sizes?: PictureSizes;
};

export type PictureSizes = ReadonlyMap<string, { readonly width: number; readonly height: number }>;

const ITEM_PAGE = /^\/(?:books|skills)\/[a-z0-9-]+$/;

export const createItemLinks = (place: TextPlace): Links => ({
  href(target) {
    if (/^#./.test(target)) return fragmentOf(target);
    return outsideAddress(target) ?? (ITEM_PAGE.test(target) ? target : fileAddress(target, place));
  },
  image(target) {
    const path = pathOf(target, place);
    return path === null || shownPicture(path) === null ? null : bytesAddress(path, place);
  },
  media(target) {
    const path = pathOf(target, place);
    const tag = path === null ? null : playerOf(path);
    return path === null || tag === null ? null : { tag, address: bytesAddress(path, place) };
  },
  sizeOf: (target) => place.sizes?.get(pathOf(target, place) ?? ''),
});

export const OUTSIDE_LINKS: Links = {
  href: (target) => outsideAddress(target) ?? (ITEM_PAGE.test(target) ? target : null),
  image: () => null,
};

export const readingAddress = ({ kind, slug }: Pick<TextPlace, 'kind' | 'slug'>, path: string): string =>
  `/${kind}s/${slug}/read/${encodePath(path)}`;

/**
 * A passage of a file to mark, by its UTF-16 offsets; with `marked`, only the sentences that it lists. `sha256` tells whether
 * the file is still the same.
 */
type MarkedSlice = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly sha256: string;
  readonly marked?: readonly (readonly [start: number, end: number])[] | undefined;
};

/**
 * Returns the address of a text's reading page that marks a passage; with `marked`, from the first of its sentences to the
 * last.
 */
export function markAddress(
  item: Pick<TextPlace, 'kind' | 'slug'>,
  { path, start, end, sha256, marked = [] }: MarkedSlice,
): string {
  const [from, to] = [marked[0]?.[0] ?? start, marked.at(-1)?.[1] ?? end];
  return `${readingAddress(item, path)}?mark=${from}-${to}&of=${sha256.slice(0, 12)}#mark`;
}

export const bytesAddress = (path: string, { kind, slug }: Pick<TextPlace, 'kind' | 'slug'>): string =>
  `/${kind}s/${slug}/files/${encodePath(path)}`;

// Encodes parentheses as well: one without its partner would end a link in Markdown.
const encodePath = (path: string): string =>
  path
    .split('/')
    .map((name) => encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/');

function fileAddress(target: string, place: TextPlace): string | null {
  const path = pathOf(target, place);
  if (path === null) return null;
  if (!place.texts.has(path)) return bytesAddress(path, place);
  return readingAddress(place, path) + fragmentOf(/#.+/s.exec(target)?.[0] ?? '');
}

const pathOf = (target: string, { from, files }: TextPlace): string | null => findLinked(target, from, files);

/**
 * Finds the item's file that a relative address in the text `from` means: the file itself, a folder's README.md or index.md, or
 * for `page.html` the Markdown file `page.md`.
 */
export function findLinked(target: string, from: string, files: ReadonlySet<string>): string | null {
  const written = target.replace(/[#?].*/s, '');
  if (written === '' || /^(?:[a-z][a-z\d+.-]*:|[/\\])/i.test(written)) return null;
  const path = resolveLink(decoded(written), from);
  const folder = path === '' ? '' : `${path}/`;
  const names = [path, `${folder}README.md`, `${folder}index.md`, path.replace(/\.html?$/i, '.md')];
  return names.find((name) => files.has(name)) ?? null;
}

const fragmentOf = (fragment: string): string =>
  fragment === '' ? '' : `#${encodeURIComponent(decoded(fragment.slice(1)).toWellFormed())}`;
