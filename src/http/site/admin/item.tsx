import { editionsPath } from './items.tsx';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { findBySlug } from '../../../catalog/catalog.ts';
import type { ItemKind, Manifest } from '../../../item/item.ts';
import { readFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { DataTable, Empty, formatBytes, Pager, readPlace, When } from '../parts/data-table.tsx';
import { ButtonLink, Choices } from '../parts/form.tsx';
import {
  FIGURE_DAYS,
  itemFigures,
  type ItemFigures as Figures,
  type Span,
} from '../../../service/figures.ts';
import { countHolders, findGrantedItem, pagedHolders } from '../../../service/grants.ts';
import { ACCOUNTS, ITEMS, sendAdminPage } from './admin-page.tsx';
import { holdersPath, itemPath, type ItemView, readItemView } from './items.tsx';
import { type CsvColumns, iso, OUTCOMES, sendCsv } from '../logs.tsx';
import { Stat, TimeChart } from './sales.tsx';
import type { LogPage } from '../../../service/logs.ts';
import type { Holder, LastTime } from '../../../store/tables/grants.ts';
import { stateOf } from './grants.tsx';
import { listEditions } from '../../../service/edition-acts.ts';
import type { KnownEdition } from '../../../store/tables/editions.ts';

/** `GET /admin/items/:slug`: what became of an item and who holds it, even if it is no longer served. */
export async function showItem(
  http: Http,
  request: Request,
  owner: SessionPrincipal,
  slug: string,
): Promise<Response> {
  const { stall } = http;
  const item = await findGrantedItem(stall, slug);
  const address = new URL(request.url).searchParams;
  const view = readItemView(slug, address, readPlace(address));
  const [count, page, figures] = await Promise.all([
    countHolders(stall, item),
    pagedHolders(stall, item, view.isLive).page(view.place),
    itemFigures(stall, item, view.span),
  ]);
  const manifest = findBySlug(stall.catalog(), slug, item.kind)?.manifest ?? null;
  return sendAdminPage(
    http,
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

const SPANS: Readonly<Record<Span, string>> = { days: `${FIGURE_DAYS} days`, months: '12 months' };

/** The outcomes of questions that the book did not answer. */
const UNANSWERED = ['not_covered', 'unsupported'];

/** An item's holders now, and its totals over a span. */
function ItemStats({
  kind,
  holders,
  figures,
  span,
}: {
  kind: ItemKind;
  holders: number;
  figures: readonly Figures[];
  span: Span;
}) {
  const total = (of: (period: Figures) => number) => figures.reduce((sum, period) => sum + of(period), 0);
  return (
    <dl class="stats">
      <Stat name={holders === 1 ? 'holder now' : 'holders now'} count={holders} />
      <Stat name={`page views, ${SPANS[span]}`} count={total(({ views }) => views)} />
      <Stat name={`downloads, ${SPANS[span]}`} count={total(({ downloads }) => downloads)} />
      {kind === 'book' && (
        <>
          <Stat name={`questions, ${SPANS[span]}`} count={total(askedIn)} />
          <Stat name="without an answer" count={total(unansweredIn)} />
        </>
      )}
    </dl>
  );
}

/** Charts of an item's views, downloads and questions over time, and a table with the same figures. */
function ItemFigures({
  kind,
  view,
  figures,
}: {
  kind: ItemKind;
  view: ItemView;
  figures: readonly Figures[];
}) {
  const by = view.span === 'days' ? 'day' : 'month';
  const charts: readonly (readonly [id: string, title: string, of: (period: Figures) => number])[] = [
    ['views', 'Page views', ({ views }) => views],
    ['downloads', 'Downloads', ({ downloads }) => downloads],
    ...(kind === 'book'
      ? ([
          ['questions', 'Questions', askedIn],
          ['unanswered', 'Questions without an answer', unansweredIn],
        ] as const)
      : []),
  ];
  return (
    <section>
      <h2>The last {SPANS[view.span]}</h2>
      <Choices
        label="Time"
        choices={(['days', 'months'] as const).map((span) => ({
          href: itemPath({ ...view, span }),
          name: SPANS[span],
          isChosen: span === view.span,
        }))}
      />
      {charts.map(([id, title, of]) => (
        <TimeChart
          key={id}
          id={id}
          title={title}
          by={by}
          counts={figures.map((period) => ({ period: period.period, count: of(period) }))}
        />
      ))}
      <details>
        <summary>Figures by {by} (UTC)</summary>
        <FigureTable kind={kind} by={by} figures={figures} />
      </details>
    </section>
  );
}

/** The figures with a column for each outcome that any question had. */
function FigureTable({ kind, by, figures }: { kind: ItemKind; by: string; figures: readonly Figures[] }) {
  const seen = new Set(figures.flatMap(({ outcomes }) => Object.keys(outcomes)));
  const outcomes = [...Object.keys(OUTCOMES).filter((name) => seen.has(name))];
  const isBook = kind === 'book';
  return (
    <DataTable
      caption={`Page views${isBook ? ', downloads and questions' : ' and downloads'} by ${by} (UTC)`}
      columns={[
        by === 'day' ? 'Day' : 'Month',
        'Page views',
        'Downloads',
        ...(isBook ? ['Questions'] : []),
        ...outcomes.map((name) => OUTCOMES[name] ?? name),
      ]}
      rows={figures.toReversed().map((period) => ({
        key: period.period,
        cells: [
          period.period,
          period.views,
          period.downloads,
          ...(isBook ? [askedIn(period)] : []),
          ...outcomes.map((name) => period.outcomes[name] ?? 0),
        ],
      }))}
      empty={null}
    />
  );
}

function askedIn({ outcomes }: Figures): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

function unansweredIn({ outcomes }: Figures): number {
  return UNANSWERED.reduce((sum, name) => sum + (outcomes[name] ?? 0), 0);
}

const CHOICES = [
  { isLive: true, name: 'Active' },
  { isLive: false, name: 'All, also ended' },
];

/** The holders of an item: a page of its grants, those granted last first. */
function HolderTable({
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

const columnsAt = (now: number): CsvColumns<Holder> => ({
  account: ({ email }) => email,
  source: ({ source }) => source,
  granted: ({ at }) => iso(at),
  from: ({ from }) => iso(from),
  until: ({ until }) => iso(until),
  revoked: ({ revokedAt }) => iso(revokedAt),
  state: (holder) => stateOf(holder, holder, now),
  last_download: ({ lastDownload }) => iso(lastDownload),
  last_question: ({ lastQuestion }) => iso(lastQuestion),
});

/** `GET /admin/items/:slug/holders.csv`: the grants of an item as CSV, those granted last first: times in ISO 8601 UTC. */
export async function sendHolderFile(http: Http, request: Request, slug: string): Promise<Response> {
  const { stall } = http;
  const item = await findGrantedItem(stall, slug);
  const isLive = new URL(request.url).searchParams.get('grants') !== 'all';
  const [route, name] = [`${ITEMS}/:slug/holders.csv`, `bookstall-holders-${slug}.csv`];
  return sendCsv(http, request, route, name, columnsAt(stall.now()), pagedHolders(stall, item, isLive).all());
}

const EDITION_COLUMNS = [
  'Version',
  'State',
  'First served',
  'Size',
  'Files added / changed / removed',
  'Digest',
  '',
];

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
      columns={EDITION_COLUMNS}
      rows={listed.map((edition) => ({ key: edition.digest, cells: editionCells(slug, edition) }))}
      empty={<Empty>No editions yet: only a published or archived item has some.</Empty>}
    />,
  );
}

function editionCells(slug: string, edition: KnownEdition) {
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
