import type { ItemKind } from '../../../item/item.ts';
import type { LogPage } from '../../../service/row-pages.ts';
import type { Holder, LastTime } from '../../../store/tables/holders.ts';
import { Choices } from '../parts/choices.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { When } from '../parts/when.tsx';
import { ACCOUNTS } from './account-list.tsx';
import { stateOf } from './account-grants.tsx';
import { holdersPath, type ItemView, itemPath } from './item-address.ts';

const CHOICES = [
  { isLive: true, name: 'Active' },
  { isLive: false, name: 'All, also ended' },
];

/** The holders of an item: a page of its grants, those granted last first. */
export function HolderTable({
  kind,
  view,
  page,
  now,
}: {
  kind: ItemKind;
  view: ItemView;
  page: LogPage<Holder>;
  now: number;
}) {
  const { isLive } = view;
  const uses = kind === 'book' ? ['Last download', 'Last question'] : ['Last download'];
  return (
    <section id="holders">
      <h2>Who holds it</h2>
      <Choices
        label="Grants"
        choices={CHOICES.map((choice) => ({
          href: `${itemPath({ ...view, isLive: choice.isLive, place: null })}#holders`,
          name: choice.name,
          isChosen: choice.isLive === isLive,
        }))}
      />
      <DataTable
        caption={`${isLive ? 'Active grants' : 'All grants'} of this item, newest first`}
        columns={['Account', 'Granted', 'Source', 'Until', ...(isLive ? [] : ['State']), ...uses]}
        rows={page.rows.map((holder) => ({
          key: String(holder.row),
          cells: cellsOf(kind, holder, isLive, now),
        }))}
        empty={<NoHolders isLive={isLive} />}
      />
      {page.rows.length > 0 && (
        <div class="actions">
          <ButtonLink href={holdersPath(view)} kind="quiet">
            Save as CSV
          </ButtonLink>
        </div>
      )}
      <Pager
        newer={page.newer && `${itemPath({ ...view, place: page.newer })}#holders`}
        older={page.older && `${itemPath({ ...view, place: page.older })}#holders`}
      />
    </section>
  );
}

function NoHolders({ isLive }: { isLive: boolean }) {
  return (
    <Empty
      action={
        <ButtonLink href={ACCOUNTS} kind="quiet">
          Accounts
        </ButtonLink>
      }
    >
      {isLive ? 'Nobody holds this item now.' : 'Nobody was ever granted this item.'} Grant it on an account’s
      page, or import grants from CSV.
    </Empty>
  );
}

function cellsOf(kind: ItemKind, holder: Holder, isLive: boolean, now: number) {
  const { accountId, email, at, source, until, revokedAt } = holder;
  const state = stateOf(holder, holder, now);
  return [
    <a href={`${ACCOUNTS}/${accountId}`}>{email}</a>,
    <When at={at} />,
    source,
    <When at={until} never={'no\u00a0end'} />,
    ...(isLive
      ? []
      : [
          <>
            <span class={state === 'active' ? 'badge good' : 'badge'}>{state}</span>{' '}
            {revokedAt !== null && <When at={revokedAt} />}
          </>,
        ]),
    <Last at={holder.lastDownload} />,
    ...(kind === 'book' ? [<Last at={holder.lastQuestion} />] : []),
  ];
}

function Last({ at }: { at: LastTime }) {
  return at === 'not lately' ? <>not lately</> : <When at={at} never="–" />;
}
