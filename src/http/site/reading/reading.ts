import type { AnyElysia } from 'elysia';
import type { RouteDeps } from '../frame/route-deps.ts';
import { chapterPages } from './chapter.tsx';
import { firstChapter } from './first-chapter.ts';
import { searchPage } from './search.tsx';
import { textSize } from './text-size.tsx';

/** Items read in the browser. */
export function reading(site: RouteDeps): AnyElysia[] {
  return [firstChapter(site), chapterPages(site), searchPage(site), textSize(site)];
}
