import type { Edition } from '../../catalog/edition.ts';
import type { ReadingPages } from '../../catalog/reading/reading-pages.ts';
import type { Heading } from '../../markup/rendered.ts';
import { shownText } from '../../passages/quote/shown-text.ts';
import type { NearPlace } from '../ask/stream-answer.ts';
import { titleAt } from './contents.ts';

/** A heading on its reading page; `id` is null if the page does not have it. */
export type FoundHeading = { readonly path: string; readonly id: string | null; readonly title: string };

/** Finds headings, as passages name them, on the pages of an edition. */
export function createFindHeadings(pages: ReadingPages) {
  return (edition: Edition, places: readonly NearPlace[]): Promise<readonly FoundHeading[]> =>
    Promise.all(
      places.map(async ({ path, heading }) => {
        const title = headingPath(edition, { path, heading });
        const file = edition.files.find((one) => one.path === path);
        // The link to a chapter that cannot be rendered now leads to its beginning.
        const opened = file === undefined ? null : await pages.open(edition, file).catch(() => null);
        return { path, title, id: idsOf(opened?.page.headings ?? []).get(shown(heading)) ?? null };
      }),
    );
}

/** The chapter and the headings above a place of a book, without repeats. */
export function headingPath(edition: Edition, { path, heading }: NearPlace): string {
  return [...new Set([titleAt(edition, path), ...heading.split(' › ').map((one) => shownText(one))])]
    .filter((name) => name !== '')
    .join(' › ');
}

/** The ids of a page's headings by their path of headings. Of equal paths the first counts. */
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
