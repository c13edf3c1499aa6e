import { listed } from '../platform/base/text.ts';
import { endingOf } from './path.rule.ts';

/** A kind of picture, and how the stall uses it. A new kind is a row of `KINDS`: patterns, lists and sentences follow. */
type Facts = {
  /** The endings of its files; sentences name the first. */
  readonly endings: readonly [string, ...string[]];
  /**
   * How pages show it: as an image, or as a drawing, which can run scripts when it is opened by itself, so that it is sent as a
   * download. Null if they do not show it; then it is no cover either.
   */
  readonly page: 'image' | 'drawing' | null;
  /**
   * How e-books have it: kept, as every e-reader shows it (https://www.w3.org/TR/epub-32/#sec-cmt-supported), a drawing without
   * its scripts; or as PNG. Null if they leave it out.
   */
  readonly ebook: 'kept' | 'png' | null;
  /** Whether the stall resizes a cover of this kind. */
  readonly small: boolean;
  /** Whether e-readers can show a cover of this kind (OPDS 1.2 §8.4). */
  readonly opds: boolean;
  /** Whether other sites show it in previews of links. */
  readonly preview: boolean;
};

/** The kinds of pictures, named by the subtype of their media type. */
const KINDS = {
  png: { endings: ['png'], page: 'image', ebook: 'kept', small: true, opds: true, preview: true },
  jpeg: { endings: ['jpg', 'jpeg'], page: 'image', ebook: 'kept', small: true, opds: true, preview: true },
  webp: { endings: ['webp'], page: 'image', ebook: 'png', small: true, opds: false, preview: false },
  gif: { endings: ['gif'], page: 'image', ebook: 'kept', small: true, opds: true, preview: false },
  avif: { endings: ['avif'], page: 'image', ebook: null, small: false, opds: false, preview: false },
  'svg+xml': { endings: ['svg'], page: 'drawing', ebook: 'kept', small: false, opds: false, preview: false },
  bmp: { endings: ['bmp'], page: null, ebook: 'png', small: false, opds: false, preview: false },
  tiff: { endings: ['tif', 'tiff'], page: null, ebook: null, small: false, opds: false, preview: false },
} as const satisfies Readonly<Record<string, Facts>>;

type Kind = keyof typeof KINDS;

/** The kinds of images, which are no drawings, that e-books have. */
export type EbookImage = {
  [One in Kind]: (typeof KINDS)[One] extends { ebook: null } | { page: 'drawing' } ? never : One;
}[Kind];

export type Picture = Facts & { readonly type: `image/${Kind}` };

export const PICTURES = Object.fromEntries<Picture>(
  Object.entries(KINDS).map(([kind, facts]) => [kind, { ...facts, type: `image/${kind as Kind}` }]),
) as Readonly<Record<Kind, Picture>>;

const ALL = Object.values(PICTURES);

/** The kinds that pages show: these may be a cover, the logo, or a picture of the stall's introduction. */
export const SHOWN_PICTURES = ALL.filter(({ page }) => page !== null);

/** Returns the kind of a picture by the ending of its path, `shownPicture` only one that pages show; null for any other file. */
export const pictureOf = lookUpIn(ALL);
export const shownPicture = lookUpIn(SHOWN_PICTURES);

export const listPictures = <File extends { readonly path: string }>(
  files: readonly File[],
): readonly File[] => files.filter(({ path }) => shownPicture(path) !== null);

function lookUpIn(pictures: readonly Picture[]): (path: string) => Picture | null {
  const byEnding = new Map(pictures.flatMap((picture) => picture.endings.map((ending) => [ending, picture])));
  return (path) => byEnding.get(endingOf(path)) ?? null;
}

const inWords = (kinds: readonly Picture[]): string => listed(kinds.map(({ endings: [first] }) => first));

export const COVER_IN_WORDS = `a ${inWords(SHOWN_PICTURES)} file of the item`;
export const EBOOK_IN_WORDS = inWords(SHOWN_PICTURES.filter(({ ebook }) => ebook !== null));
