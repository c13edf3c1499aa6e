import type { Principal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/edition.ts';
import type { ItemKind } from '../../../item/item.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { movedPage } from '../frame/moved-page.ts';
import { pageCacheHeaders, type PageHead, sendPage } from '../frame/page.tsx';
import { previewImage } from '../cover/preview-image.ts';
import { summaryOf } from '../../../item/description.ts';
import { itemDescription, itemNotes, itemText } from './item-text.ts';
import { ItemView } from './item-view.tsx';
import { isPageView } from './page-view.ts';
import { grantedSince } from '../../../service/holdings.ts';
import { findNews } from '../../../service/news.ts';

/** The page of one item. */
export async function showItem(
  { service, viewOf, sender }: RouteDeps,
  request: Request,
  visitor: Principal,
  kind: ItemKind,
  slug: string,
  query: Readonly<Record<string, string>>,
): Promise<Response> {
  const edition = await service.see(visitor, slug);
  const away = movedPage(request, edition, slug);
  if (away !== null) return away;
  if (edition.manifest.kind !== kind) return moved(edition);
  const isOpen = await service.mayRead(visitor, edition);
  const { sample } = edition.manifest;
  const view = viewOf(visitor);
  const news = await findNews(service.stall, edition, isOpen);
  const props = {
    view,
    edition,
    grantedSince: await grantedSince(service.stall, visitor, edition),
    description: await itemDescription(service, edition),
    text: await itemText(service, visitor, edition, isOpen),
    news,
    notes: await itemNotes(service, edition, news),
    isOpen,
    mayRead: (path: string) => isOpen || sample.includes(path),
    contentsPage: readPart(query['contents']),
    filesPage: readPart(query['files']),
  };
  // Many may have waited for the same texts.
  await sender.turn(request);
  const page = sendPage(
    view,
    { ...headOf(edition), headers: pageCacheHeaders(view) },
    <ItemView {...props} />,
  );
  // Further chapters and files are another part of a page that was counted.
  const isFirst = query['contents'] === undefined && query['files'] === undefined;
  if (isFirst && isPageView(request, view)) service.stall.pageViews.add(edition);
  return page;
}

/** The number of a part of a list that is too long for one page, from 1 on; null for the start of the page. */
function readPart(text: string | undefined): number | null {
  return /^[1-9]\d{0,4}$/.test(text ?? '') ? Number(text) : null;
}

/** Redirects to the path of the item's own kind: a slug belongs to one item only. */
function moved({ manifest: { kind, slug } }: Edition): Response {
  return new Response(null, {
    status: 301,
    headers: { Location: `/${kind}s/${slug}`, 'Cache-Control': 'no-cache', Vary: 'Cookie' },
  });
}

function headOf(edition: Edition): PageHead {
  const { kind, slug, title, status } = edition.manifest;
  const head = { title, description: summaryOf(edition.manifest), image: previewImage(edition) };
  return status === 'published' ? { ...head, canonical: `/${kind}s/${slug}` } : head;
}
