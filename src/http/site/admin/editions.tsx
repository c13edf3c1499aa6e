import { listEditions } from '../../../service/edition-acts.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { KnownEdition } from '../../../store/tables/editions.ts';
import { readFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { DataTable, Empty, formatBytes, When } from '../parts/data-table.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { ITEMS, sendAdminPage } from './admin-page.tsx';

const COLUMNS = ['Version', 'State', 'First served', 'Size', 'Files added / changed / removed', 'Digest', ''];

/** The address of the page with an item's editions. */
export const editionsPath = (slug: string): string => `${ITEMS}/${slug}/editions`;

/** `GET /admin/items/:slug/editions`: every edition of an item, with what can be done about it. */
export async function showEditions(
  http: Http,
  owner: SessionPrincipal,
  slug: string,
  query: Readonly<Record<string, string>>,
): Promise<Response> {
  const [listed, kept] = await Promise.all([
    listEditions(http.stall, slug),
    http.stall.store.sumKeptEditions(),
  ]);
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: `Editions of “${slug}”`,
      lead: `The ${kept.editions} kept editions of all items take ${formatBytes(kept.bytes)}.`,
      said: readFlash(query),
    },
    <DataTable
      caption={listed.length === 1 ? '1 edition' : `${listed.length} editions`}
      columns={COLUMNS}
      rows={listed.map((edition) => ({ key: edition.digest, cells: cellsOf(slug, edition) }))}
      empty={<Empty>No editions yet: only a published or archived item has some.</Empty>}
    />,
  );
}

function cellsOf(slug: string, edition: KnownEdition) {
  const { version, state, firstServedAt, size, added, changed, removed, digest } = edition;
  return [
    version ?? '–',
    <span class={state === 'served' ? 'badge good' : 'badge'}>{state}</span>,
    <When at={firstServedAt} />,
    <span class="number">{formatBytes(size)}</span>,
    `${added} / ${changed} / ${removed}`,
    <code title={`sha256:${digest}`}>{digest.slice(0, 12)}</code>,
    <Actions path={`${editionsPath(slug)}/${digest}`} state={state} />,
  ];
}

function Actions({ path, state }: { path: string; state: KnownEdition['state'] }) {
  if (state !== 'kept' && state !== 'gone') return null;
  return (
    <div class="actions">
      {state === 'kept' && (
        <ButtonLink href={`${path}/rollback`} kind="quiet">
          Roll back
        </ButtonLink>
      )}
      <ButtonLink href={`${path}/withdraw`} kind="quiet">
        Withdraw
      </ButtonLink>
    </div>
  );
}
