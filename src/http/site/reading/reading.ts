import { Elysia } from 'elysia';
import type { RouteDeps } from '../frame/route-deps.ts';
import { chapterPages } from './chapter.tsx';
import { firstChapter } from './first-chapter.ts';
import { searchPage } from './search.tsx';
import { textSize } from './text-size.tsx';

/** Items read in the browser. */
export function reading(site: RouteDeps) {
  return new Elysia()
    .use(firstChapter(site))
    .use(chapterPages(site))
    .use(searchPage(site))
    .use(textSize(site));
}
