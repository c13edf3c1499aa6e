import type { Edition } from '../catalog/catalog.ts';
import type { Heading } from './markup/rendered.ts';
import { type Chapter, numberBefore } from '../catalog/chapters.rule.ts';
import { isReadable } from '../catalog/chapter-limit.rule.ts';
import type { Outline } from './markup/markdown.ts';
import { shownText } from './shown-text.rule.ts';
import type { Stall } from './stall.ts';

export type NearPlace = { readonly path: string; readonly heading: string };

export type ContentsEntry = Pick<Chapter, 'path' | 'level' | 'part'> & {
  readonly title: string;
  readonly words: number;
  readonly isSample: boolean;
  /** The chapter's number as the book itself gives it, if the title does not contain it. */
  readonly number: string | null;
};

/** Caches the contents of each edition: making them for ten thousand chapters takes a millisecond and a megabyte. */
const made = new WeakMap<
  Edition,
  { readonly of: ReadonlyMap<string, Outline>; readonly entries: readonly ContentsEntry[] }
>();

/** Lists the texts of an item in reading order: a book's chapters, or a skill's SKILL.md and then its other texts. */
export async function listContents({ pages }: Stall, edition: Edition): Promise<readonly ContentsEntry[]> {
  // If the Worker that renders pages fails, the contents have no titles and lengths.
  const outlines = await pages.outlines(edition).catch(() => new Map<string, Outline>());
  const known = made.get(edition);
  if (known?.of === outlines) return known.entries;
  const { sample } = edition.manifest;
  const entries = listTexts(edition).map(({ path, title: given, level, part, number }) => {
    const title = given ?? outlines.get(path)?.title ?? nameOf(path);
    return {
      path,
      level,
      part,
      title,
      number: numberBefore(title, number),
      words: outlines.get(path)?.words ?? 0,
      isSample: sample.includes(path),
    };
  });
  made.set(edition, { of: outlines, entries });
  return entries;
}

export function listTexts({ manifest, chapters, files }: Edition): Edition['chapters'] {
  if (manifest.kind === 'book') return chapters;
  const texts = files.filter(isReadable).map(({ path }) => path);
  const first = texts.filter((path) => path === 'SKILL.md');
  return [...first, ...texts.filter((path) => path !== 'SKILL.md')].map((path) => ({
    path,
    title: null,
    level: 1,
    part: null,
  }));
}

const readable = new WeakMap<Edition, ReadonlySet<string>>();

export function hasText(edition: Edition, path: string): boolean {
  const pathsIn = ({ files }: Edition) => new Set(files.filter(isReadable).map((file) => file.path));
  return readable.getOrInsertComputed(edition, pathsIn).has(path);
}

/** Returns the title of a text without opening its file: the one in item.yaml, else one made of the file's name. */
export const titleAt = ({ chapters }: Edition, path: string): string =>
  chapters.find((chapter) => chapter.path === path)?.title ?? nameOf(path);

function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    name
      .replace(/\.(?:md|markdown|txt)$/i, '')
      .replace(/^[\d._-]+(?=\p{L})/u, '')
      .replace(/[-_]+/g, ' ')
      .trim() || name
  );
}

export const titleOf = (contents: readonly ContentsEntry[], path: string, heading = path): string =>
  contents.find((entry) => entry.path === path)?.title ?? heading;

export const findHeadings = (
  { pages }: Stall,
  edition: Edition,
  places: readonly NearPlace[],
): Promise<readonly FoundHeading[]> =>
  Promise.all(
    places.map(async ({ path, heading }) => {
      const title = headingPath(edition, { path, heading });
      const file = edition.files.find((one) => one.path === path);
      // If a chapter cannot be rendered, its link leads to its beginning.
      const opened = file === undefined ? null : await pages.open(edition, file).catch(() => null);
      const ids = idsOf(opened?.page.headings ?? []);
      // The path may begin with the chapter's title, which need not be a heading on the page: then the path without it is
      // looked up.
      const below = heading.slice(heading.indexOf(' › ') + 3);
      return { path, title, id: ids.get(shown(heading)) ?? ids.get(shown(below)) ?? null };
    }),
  );

export type FoundHeading = {
  readonly path: string;
  readonly title: string;
  readonly id: string | null;
};

export const headingPath = (edition: Edition, { path, heading }: NearPlace): string =>
  pathOfHeadings(titleAt(edition, path), heading);

export const pathOfHeadings = (title: string, heading: string): string =>
  [...new Set([title, ...heading.split(' › ').map((one) => shownText(one))])]
    .filter((name) => name !== '')
    .join(' › ');

/** Maps the path of each heading on a page to its HTML id. Of equal paths the first counts. */
function idsOf(headings: readonly Heading[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  let above: readonly Heading[] = [];
  for (const heading of headings) {
    above = [...above.filter(({ level }) => level < heading.level), heading];
    const name = shown(above.map(({ title }) => title).join(' › '));
    if (!ids.has(name)) ids.set(name, heading.id);
  }
  return ids;
}

const shown = (heading: string): string =>
  shownText(heading)
    .replace(/[\s`*_\\]+/g, ' ')
    .trim();
