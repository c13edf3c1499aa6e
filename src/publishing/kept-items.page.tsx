import type { SessionPrincipal } from '../platform/base/principal.ts';
import { DataTable, Empty } from '../platform/site/data-table.tsx';
import { ButtonLink } from '../platform/site/form.tsx';
import { ADD, editPath, ITEMS } from '../platform/site/paths.ts';
import { sendAdminPage } from '../office/office.part.tsx';
import { listPushedFolders } from './pushed.ts';
import type { Http } from './stall.ts';

/** `GET /admin/items` for an editor: shows the items that the office keeps, which alone an editor may change. */
export function showKeptItems({ stall, ...http }: Http, editor: SessionPrincipal, said: string | null) {
  const items = listPushedFolders(stall.config.data).map(({ kind, slug }) => {
    const edition = stall.catalog().bySlug.get(slug);
    return { kind, slug, manifest: (edition?.draft ?? edition)?.manifest ?? null };
  });
  return sendAdminPage(
    { stall, ...http },
    editor,
    {
      current: ITEMS,
      title: 'Items',
      lead: 'You add and edit what the office keeps. Prices, sale and publishing are the owner’s.',
      actions: <ButtonLink href={ADD}>Add a book or skill</ButtonLink>,
      said,
    },
    <DataTable
      caption="Items that the office keeps"
      columns={{
        Item: ({ kind, slug, manifest }) => (
          <a href={editPath(slug)}>
            {manifest?.title ?? slug} ({kind})
          </a>
        ),
        Status: ({ manifest }) => manifest?.status ?? 'has errors',
        Page: ({ kind, slug }) => <a href={`/${kind}s/${slug}`}>Look at it</a>,
      }}
      rows={items}
      empty={<Empty>No items yet. “Add a book or skill” takes a file.</Empty>}
    />,
  );
}
