import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
import { publishForPage } from './awaited-publish.ts';
import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { type AdminItem, type AdminItemFilter, listAdminItems, listFormerItems } from './admin-items.ts';
import { listPushedFolders } from './pushed.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import {
  addressAt,
  type Columns,
  DataTable,
  Empty,
  NoMatch,
  numbersBeside,
  Pager,
  readPageNumber,
  readPlace,
  When,
} from '../platform/site/data-table.tsx';
import { Button, ButtonLink, Checkbox, Field, Form } from '../platform/site/form.tsx';
import { priceIn } from '../catalog/item-words.ts';
import type { Words } from '../words/words.ts';
import { ItemTitle } from '../catalog/items.part.tsx';
import { Notice } from '../platform/site/page.tsx';
import type { Problem } from '../platform/base/problem.ts';
import { sendAdminPage } from '../office/office.part.tsx';
import { readFlash, redirectSaying } from '../platform/site/handle-form.ts';
import { FIGURE_DAYS, type Span } from '../catalog/figures.ts';
import { formatBytes } from '../platform/base/text.ts';
import type { PagePlace } from '../platform/store/paging.ts';
import { ADD, editionsPath, editPath, ITEMS } from '../platform/site/linked-pages.ts';
import type { KnownItem } from '../catalog/known-item.rule.ts';

/** The maximum number of items on the page that are no longer served. */
const MOST_FORMER = 100;

/** `GET /admin/items`: shows every item, pushed ones too, whether it is served or not, with its problems. */
export function showItems(http: Http, owner: SessionPrincipal, query: Query): Response {
  const w = officeOf(http, owner);
  const filter: AdminItemFilter = {
    search: query['q'] ?? '',
    hasProblems: query['problems'] === 'on',
    page: readPageNumber(query),
  };
  const former = listFormerItems(http.stall, filter.search);
  const listed = listAdminItems(http.stall, filter);
  const { served, drafts, broken, warned } = listed.count;
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: w.common.items,
      lead: w.items.lead({
        when: <When at={listed.at || null} withTime />,
        served,
        drafts: w.counts.drafts({ count: drafts }),
        broken,
        warned,
      }),
      actions: (
        <>
          <ButtonLink href={ADD}>{w.items.addButton}</ButtonLink>
          <Form action={`${ITEMS}/reindex`}>
            <Button kind="quiet">{w.items.reloadButton}</Button>
          </Form>
        </>
      ),
      said: readFlash(query),
    },
    <>
      {listed.fault !== null && (
        <Notice kind="bad">
          <span lang="en">{listed.fault}</span>
        </Notice>
      )}
      {listed.files.map(({ path, problems, instead }) => (
        <details open>
          <summary class="bad">
            {w.items.problem({
              path,
              count: w.counts.errors({ count: problems.length }),
              instead: <span lang="en">{instead}</span>,
            })}
          </summary>
          <ProblemList problems={problems} />
        </details>
      ))}
      <form class="search" action={ITEMS} method="get" aria-label={w.items.search}>
        <Field label={w.items.search} name="q" type="search" value={filter.search} />
        <Checkbox label={w.items.onlyProblems} name="problems" checked={filter.hasProblems} />
        <Button kind="quiet">{w.items.show}</Button>
      </form>
      <Problems items={listed.items.filter(({ problems }) => problems.length > 0)} />
      <DataTable
        caption={w.items.caption({
          found: w.counts.items({ count: listed.found }),
          days: FIGURE_DAYS,
        })}
        columns={columnsOf(w, http.viewOf(owner).words)}
        rows={listed.items}
        empty={
          filter.search === '' && !filter.hasProblems ? (
            <Empty>{w.items.noItems}</Empty>
          ) : (
            <NoMatch path={ITEMS}>{w.items.noMatch}</NoMatch>
          )
        }
      />
      <Pager
        {...numbersBeside(filter.page, listed.isLast)}
        to={(page) =>
          addressAt(ITEMS, { q: filter.search, problems: filter.hasProblems ? 'on' : null }, page)
        }
        names={[w.items.previous, w.items.next]}
      />
      {!filter.hasProblems && <FormerItems items={former} />}
    </>,
  );
}

/** `GET /admin/items` for an editor who is not the owner: shows the pushed items, since an editor may change no others. */
export function showKeptItems(http: Http, editor: SessionPrincipal, said: string | null) {
  const w = officeOf(http, editor);
  const { stall } = http;
  const items = listPushedFolders(stall.config.data).map(({ kind, slug }) => {
    const edition = stall.catalog().bySlug.get(slug);
    return { kind, slug, manifest: (edition?.draft ?? edition)?.manifest ?? null };
  });
  return sendAdminPage(
    http,
    editor,
    {
      current: ITEMS,
      title: w.common.items,
      lead: w.items.editorLead,
      actions: <ButtonLink href={ADD}>{w.items.addButton}</ButtonLink>,
      said,
    },
    <DataTable
      caption={w.items.editorCaption}
      columns={{
        [w.common.item]: ({ kind, slug, manifest }) => (
          <a href={editPath(slug)}>
            {manifest?.title ?? slug} ({w.common.kinds[kind]})
          </a>
        ),
        [w.items.status]: ({ manifest }) =>
          manifest === null ? w.items.hasErrors : w.common.statuses[manifest.status],
        [w.items.page]: ({ kind, slug }) => <a href={`/${kind}s/${slug}`}>{w.common.lookAtIt}</a>,
      }}
      rows={items}
      empty={<Empty>{w.items.noItems}</Empty>}
    />,
  );
}

/** The grants and figures of items that are no longer served are kept. */
function FormerItems({ items }: { items: readonly KnownItem[] }) {
  const w = useOffice();
  if (items.length === 0) return null;
  return (
    <details>
      <summary>{w.items.former({ count: w.counts.items({ count: items.length }) })}</summary>
      <ul>
        {items.slice(0, MOST_FORMER).map(({ kind, slug }) => (
          <li>
            <a href={itemPath({ slug })}>{`${kind}s/${slug}`}</a>
          </li>
        ))}
      </ul>
      {items.length > MOST_FORMER && <p>{w.items.moreFormer({ most: MOST_FORMER })}</p>}
    </details>
  );
}

type ProblemListProps = { readonly problems: readonly Problem[]; readonly form?: string | undefined };

/**
 * Lists an item's problems, in the same words as the command `bookstall check`. `form` is the page on which the office changes
 * the keys of item.yaml.
 */
export const ProblemList = ({ problems, form }: ProblemListProps) => {
  const w = useOffice();
  return problems.length === 0 ? null : (
    <ul class="problems">
      {problems.map(({ severity, sentence, remedy, path }) => (
        <li class={severity} lang="en">
          {form !== undefined && path === 'item.yaml' ? (
            <>
              {sentence.replace('"unitAmountCents"', 'price')}.{' '}
              <a href={form} lang={w.locale}>
                {w.items.editLink}
              </a>
              .
            </>
          ) : (
            `${path === '' ? '' : `${path}: `}${sentence}. ${remedy}.`
          )}
        </li>
      ))}
    </ul>
  );
};

function Problems({ items }: { items: readonly AdminItem[] }) {
  const { counts } = useOffice();
  return (
    <>
      {items.map(({ kind, slug, problems, isBroken, edition }) => {
        const errors = problems.filter(({ severity }) => severity === 'error').length;
        const [one, other] = [errors, problems.length - errors];
        const found = [
          ...(one > 0 ? [counts.errors({ count: one })] : []),
          ...(other > 0 ? [counts.warnings({ count: other })] : []),
        ];
        return (
          <details open={isBroken}>
            <summary class={isBroken ? 'bad' : 'warn'}>{`${kind}s/${slug}: ${found.join(', ')}`}</summary>
            <ProblemList problems={problems} form={edition?.isPushed === true ? editPath(slug) : undefined} />
          </details>
        );
      })}
    </>
  );
}

type Served = NonNullable<AdminItem['edition']>;

const ifServed =
  (cell: (edition: Served, item: AdminItem) => ComponentChildren) =>
  (item: AdminItem): ComponentChildren =>
    item.edition && cell(item.edition, item);

const columnsOf = (w: Office, words: Words): Columns<AdminItem> => ({
  [w.common.item]: ({ kind, slug, edition }) =>
    edition === null ? (
      `${kind}s/${slug}`
    ) : (
      // A draft has neither holders nor figures: it is linked to its form or its preview.
      <a
        href={
          edition.status !== 'draft'
            ? itemPath({ slug })
            : edition.isPushed
              ? editPath(slug)
              : `/${kind}s/${slug}`
        }
      >
        <ItemTitle title={edition.title} language={edition.language} />
      </a>
    ),
  [w.items.status]: (item) => <Status item={item} />,
  [w.items.price]: ifServed((manifest) => priceIn(words, manifest)),
  [w.items.edition]: ifServed(({ version, firstServedAt, title }, { slug }) => (
    <a href={editionsPath(slug)} title={w.items.editionsLink({ title })}>
      {version ?? <When at={firstServedAt} never={w.items.noEdition} />}
    </a>
  )),
  [w.items.size]: ifServed(({ size }) => <span class="number">{formatBytes(size, w.formats.number)}</span>),
  [w.items.views]: ifServed(({ views }) => <span class="number">{w.formats.number(views)}</span>),
  [w.common.downloads]: ifServed(({ downloads: { recent, all } }) => (
    <span class="number" title={w.items.downloadsHint({ days: FIGURE_DAYS })}>{`${recent} / ${all}`}</span>
  )),
});

function Status({ item: { edition, isBroken, problems } }: { item: AdminItem }) {
  const w = useOffice();
  if (edition === null) return <span class="badge bad">{w.items.notServed}</span>;
  return (
    <span>
      <span class={edition.status === 'published' ? 'badge good' : 'badge'}>
        {w.common.statuses[edition.status]}
      </span>
      {problems.length > 0 && (
        <>
          {' '}
          <span class={isBroken ? 'badge bad' : 'badge warn'}>
            {isBroken ? w.items.lastGoodEdition : w.items.warnings}
          </span>
        </>
      )}
    </span>
  );
}

/** The view of an item's page: the time span of its figures, and a page of its holders. `isLive` hides ended grants. */
export type ItemView = {
  readonly slug: string;
  readonly span: Span;
  readonly isLive: boolean;
  readonly place: PagePlace;
};

/** Reads the view from an address; a malformed field gets its default. */
export const readItemView = (slug: string, query: Query): ItemView => ({
  slug,
  span: query['span'] === 'months' ? 'months' : 'days',
  isLive: query['grants'] !== 'all',
  place: readPlace(query),
});

export function itemPath({
  slug,
  span = 'days',
  isLive = true,
  place = null,
}: Pick<ItemView, 'slug'> & Partial<ItemView>): string {
  const fields = { span: span === 'months' ? span : null, grants: isLive ? null : 'all' };
  return addressAt(`${ITEMS}/${slug}`, fields, place);
}

/** `POST /admin/items/reindex`: publishes the content again, while the present catalog is served. */
export const reloadContent = async ({ stall }: Http, owner: SessionPrincipal): Promise<Response> =>
  redirectSaying(ITEMS, await publishForPage(stall, owner));
