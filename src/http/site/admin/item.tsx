import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { findBySlug } from '../../../catalog/catalog.ts';
import type { Manifest } from '../../../item/item.ts';
import { readFlash } from '../frame/flash-message.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { readPlace } from '../logs/place.ts';
import { ButtonLink } from '../parts/form.tsx';
import { itemFigures } from '../../../service/figures.ts';
import { findGrantedItem } from '../../../service/grants.ts';
import { countHolders, pageHolders } from '../../../service/holders.ts';
import { sendAdminPage } from './admin-page.tsx';
import { editionsPath } from './edition-list.tsx';
import { sendHolderFile } from './holder-file.ts';
import { HolderTable } from './holder-table.tsx';
import { ITEMS, readItemView } from './item-address.ts';
import { ItemFigures, ItemStats } from './item-figures.tsx';

/** `GET /admin/items/:slug`: what became of an item and who holds it, even if it is no longer served; its holders as CSV. */
export function adminItem(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(`${ITEMS}/:slug`, ({ params, request, owner }) => show(deps, request, owner, params.slug), {
      ownerGuard: true,
    })
    .get(`${ITEMS}/:slug/holders.csv`, ({ params, request }) => sendHolderFile(deps, request, params.slug), {
      ownerGuard: true,
    });
}

async function show(
  deps: RouteDeps,
  request: Request,
  owner: SessionPrincipal,
  slug: string,
): Promise<Response> {
  const { stall } = deps;
  const item = await findGrantedItem(stall, slug);
  const address = new URL(request.url).searchParams;
  const view = readItemView(slug, address, readPlace(address));
  const [count, page, figures] = await Promise.all([
    countHolders(stall, item),
    pageHolders(stall, { item, isLive: view.isLive }, view.place),
    itemFigures(stall, item, view.span),
  ]);
  const manifest = findBySlug(stall.catalog(), slug, item.kind)?.manifest ?? null;
  return sendAdminPage(
    deps,
    owner,
    {
      current: ITEMS,
      title: manifest?.title ?? slug,
      language: manifest?.language ?? null,
      lead: <Lead kind={item.kind} slug={slug} manifest={manifest} />,
      actions: (
        <>
          {manifest !== null && (
            <ButtonLink href={`/${item.kind}s/${slug}`} kind="quiet">
              Item’s page
            </ButtonLink>
          )}
          <ButtonLink href={editionsPath(slug)} kind="quiet">
            Editions
          </ButtonLink>
        </>
      ),
      said: readFlash(Object.fromEntries(address)),
    },
    <>
      <ItemStats kind={item.kind} holders={count} figures={figures} span={view.span} />
      <ItemFigures kind={item.kind} view={view} figures={figures} />
      <HolderTable kind={item.kind} view={view} page={page} now={stall.now()} />
    </>,
  );
}

function Lead({ kind, slug, manifest }: { kind: string; slug: string; manifest: Manifest | null }) {
  if (manifest === null) return <>{`${kind}s/${slug}`}: no longer served; grants of it stay</>;
  const { version, status } = manifest;
  return <>{`${kind}s/${slug}, ${status}${version === null ? '' : `, version ${version}`}`}</>;
}
