import type { SessionPrincipal, ItemKind } from '../platform/base/principal.ts';
import { type Edition, findBySlug } from '../catalog/catalog.ts';
import {
  type BookSkillForm,
  bookSkillForm,
  MOST_SKILL_BYTES,
  MOST_SKILL_FILES,
} from '../catalog/book-skill.rule.ts';
import { isShown } from '../catalog/item.rule.ts';
import { readFlash } from '../platform/site/handle-form.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { DataTable, Empty, Pager, SaveCsv, When } from '../platform/site/data-table.tsx';
import { Choices, QuietLink } from '../platform/site/form.tsx';
import { EditionName } from '../catalog/items.part.tsx';
import { FIGURE_DAYS, type ItemFigures as Figures, listItemFigures, type Span } from '../catalog/figures.ts';
import {
  countHolders,
  findGrantedItem,
  type Holder,
  type LastTime,
  pagedHolders,
} from '../accounts/grant.ts';
import { sendAdminPage, Stat, TimeChart } from '../office/office.part.tsx';
import { itemPath, type ItemView, readItemView } from './items.page.tsx';
import { EN } from '../words/en.ts';
import { type CsvColumns, iso, sendCsv } from '../accounts/written-answer.ts';
import { GrantState, stateOf } from '../accounts/grant.part.tsx';
import { listEditions } from '../catalog/edition.ts';
import { findSigner } from '../accounts/items.ts';
import { counted, formatBytes } from '../platform/base/text.ts';
import type { LogPage } from '../platform/store/paging.ts';
import { ACCOUNTS, announcePath, editionsPath, editPath, ITEMS } from '../platform/site/paths.ts';
import { OUTCOMES, type Outcome } from '../words/outcome.ts';

export function showItem(http: Http, owner: SessionPrincipal, slug: string, query: Query) {
  const { stall } = http;
  const item = findGrantedItem(stall, slug);
  const view = readItemView(slug, query);
  const count = countHolders(stall, item);
  const figures = listItemFigures(stall, item, view.span);
  const page = pagedHolders(stall, item, view.isLive).page(view.place);
  const edition = findBySlug(stall.catalog(), slug, item.kind);
  const manifest = edition?.manifest ?? null;
  const isUploaded = (edition?.draft ?? edition)?.isPushed === true;
  const signer = edition && findSigner(stall, edition);
  const by = signer == null ? '' : `, signed by ${signer.name ?? signer.key}`;
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: manifest?.title ?? slug,
      language: manifest?.language ?? null,
      lead:
        manifest === null
          ? `${item.kind}s/${slug}: no longer served; grants of it stay`
          : `${item.kind}s/${slug}, ${manifest.status}${manifest.version === null ? '' : `, version ${manifest.version}`}${by}`,
      actions: (
        <>
          {manifest !== null && (
            <QuietLink href={`/${item.kind}s/${slug}`}>
              {isShown(manifest) ? 'See it in the shop' : 'Look at it'}
            </QuietLink>
          )}
          {edition !== undefined && (
            <QuietLink href={editPath(slug)}>{isUploaded ? 'Edit' : 'Values'}</QuietLink>
          )}
          <QuietLink href={editionsPath(slug)}>Editions</QuietLink>
          <QuietLink href={announcePath(slug)}>Tell readers</QuietLink>
        </>
      ),
      said: readFlash(query),
    },
    <>
      {edition !== undefined && !isUploaded && (
        <p class="quiet">It is edited in its files, in the content directory.</p>
      )}
      {edition !== undefined && item.kind === 'book' && (
        <>
          <p class="quiet">{SKILL_FORMS[bookSkillForm(edition.files)]}</p>
          <p class="quiet">{questionLine(edition)}</p>
        </>
      )}
      {itemFigures(item.kind, view, count, figures)}
      {holderTable(item.kind, view, page, stall.now())}
    </>,
  );
}

/** Says how many sections of a book have questions in readers' words, by which a search finds the section. */
function questionLine({ questions }: Edition): string {
  const asked =
    questions === undefined
      ? 'No section has questions in readers’ words.'
      : `${questions.asked} of ${counted(questions.sections, 'section')} have questions in readers’ words.`;
  return `${asked} The skill “write-questions” helps an agent to write them.`;
}

const SKILL_FORMS: Readonly<Record<BookSkillForm, string>> = {
  whole: 'Agents get it as a skill with all its files.',
  texts: `Agents get its texts alone as a skill, since all its files are over ${MOST_SKILL_FILES}, or over ${MOST_SKILL_BYTES / 1024 ** 2} MiB.`,
  thin: `Agents get its contents alone as a skill, since its texts are over ${MOST_SKILL_FILES} files, or over ${MOST_SKILL_BYTES / 1024 ** 2} MiB.`,
};

const SPANS: Readonly<Record<Span, string>> = { days: `${FIGURE_DAYS} days`, months: '12 months' };

const IS_UNANSWERED: Readonly<Record<Outcome, boolean>> = {
  answered: false,
  quoted: false,
  not_covered: true,
  unsupported: true,
  declined: false,
};

/**
 * An item's present holders and its totals over a time span; then charts of views, downloads and questions, and a table of the
 * same.
 */
function itemFigures(kind: ItemKind, view: ItemView, holders: number, figures: readonly Figures[]) {
  const span = SPANS[view.span];
  const charts: readonly (readonly [title: string, name: string, of: (period: Figures) => number])[] = [
    ['Page views', `page views, ${span}`, ({ views }) => views],
    ['Downloads', `downloads, ${span}`, ({ downloads }) => downloads],
    ...(kind === 'book'
      ? ([
          ['Questions', `questions, ${span}`, askedIn],
          ['Questions without an answer', 'without an answer', unansweredIn],
        ] as const)
      : []),
  ];
  const by = view.span === 'days' ? 'day' : 'month';
  const seen = Object.entries(EN.library.logs.questions.words).filter(([name]) =>
    figures.some(({ outcomes }) => name in outcomes),
  );
  const outcomes = seen.map(([name, words]) => [words, (one: Figures) => one.outcomes[name] ?? 0] as const);
  return (
    <>
      <dl class="stats">
        <Stat name={holders === 1 ? 'holder now' : 'holders now'} count={holders} />
        {charts.map(([, name, of]) => (
          <Stat name={name} count={figures.reduce((sum, period) => sum + of(period), 0)} />
        ))}
      </dl>
      <section class="charts">
        <h2>The last {span}</h2>
        <Choices
          label="Time"
          choices={(['days', 'months'] as const).map((one) => ({
            href: itemPath({ ...view, span: one }),
            name: SPANS[one],
            isChosen: one === view.span,
          }))}
        />
        {charts.map(([title, , of]) => (
          <TimeChart title={title} counts={figures.map((one) => [one.period, of(one)])} />
        ))}
        <details>
          <summary>Figures by {by} (UTC)</summary>
          <DataTable
            caption={`Page views${kind === 'book' ? ', downloads and questions' : ' and downloads'} by ${by} (UTC)`}
            columns={{
              [by === 'day' ? 'Day' : 'Month']: ({ period }) => period,
              ...Object.fromEntries([
                ...charts.slice(0, 3).map(([title, , of]) => [title, of] as const),
                ...outcomes,
              ]),
            }}
            rows={figures.toReversed()}
          />
        </details>
      </section>
    </>
  );
}

const askedIn = ({ outcomes }: Figures): number =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0);

const unansweredIn = ({ outcomes }: Figures): number =>
  OUTCOMES.reduce((sum, name) => sum + (IS_UNANSWERED[name] ? (outcomes[name] ?? 0) : 0), 0);

function holderTable(kind: ItemKind, view: ItemView, page: LogPage<Holder>, now: number) {
  const { isLive } = view;
  return (
    <section id="holders">
      <h2>Who holds it</h2>
      <Choices
        label="Grants"
        choices={[true, false].map((one) => ({
          href: `${itemPath({ ...view, isLive: one, place: null })}#holders`,
          name: one ? 'Active' : 'All, also ended',
          isChosen: one === isLive,
        }))}
      />
      <DataTable
        caption={`${isLive ? 'Active grants' : 'All grants'} of this item, newest first`}
        columns={{
          Account: ({ accountId, email }) => <a href={`${ACCOUNTS}/${accountId}`}>{email}</a>,
          Granted: ({ at }) => <When at={at} />,
          Source: ({ source }) => source,
          Until: ({ until }) => <When at={until} never={'no\u00a0end'} />,
          ...(isLive ? {} : { State: (one: Holder) => <GrantState account={one} grant={one} now={now} /> }),
          'Last download': ({ lastDownload }) => <Last at={lastDownload} />,
          ...(kind === 'book' ? { 'Last question': (one: Holder) => <Last at={one.lastQuestion} /> } : {}),
        }}
        rows={page.rows}
        empty={
          <Empty action={<QuietLink href={ACCOUNTS}>Accounts</QuietLink>}>
            {isLive ? 'Nobody holds this item now.' : 'Nobody was ever granted this item.'} Grant it on an
            account’s page, or import past sales.
          </Empty>
        }
      />
      {page.rows.length > 0 && (
        <SaveCsv href={`${ITEMS}/${view.slug}/holders.csv${isLive ? '' : '?grants=all'}`} />
      )}
      <Pager
        newer={page.newer}
        older={page.older}
        to={(place) => `${itemPath({ ...view, place })}#holders`}
      />
    </section>
  );
}

const Last = ({ at }: { at: LastTime }) =>
  at === 'not lately' ? <>not lately</> : <When at={at} never="–" />;

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

export async function sendHolderFile(http: Http, request: Request, slug: string, query: Query) {
  const { stall } = http;
  const item = findGrantedItem(stall, slug);
  const isLive = query['grants'] !== 'all';
  const [route, name] = [`${ITEMS}/:slug/holders.csv`, `bookstall-holders-${slug}.csv`];
  const file = { route, name, columns: columnsAt(stall.now()) };
  return sendCsv(http, request, file, pagedHolders(stall, item, isLive).all());
}

export function showEditions(http: Http, owner: SessionPrincipal, slug: string, query: Query) {
  const listed = listEditions(http.stall, slug);
  const kept = http.stall.store.sumKeptEditions();
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: `Editions of “${findBySlug(http.stall.catalog(), slug)?.manifest.title ?? slug}”`,
      lead:
        kept.editions === 0
          ? 'No earlier edition of any item is kept yet.'
          : `Kept editions of all items: ${kept.editions}, ${formatBytes(kept.bytes)}.`,
      said: readFlash(query),
    },
    <DataTable
      caption={counted(listed.length, 'edition')}
      columns={{
        Edition: (edition) => <EditionName {...edition} />,
        State: ({ state }) => <span class={state === 'served' ? 'badge good' : 'badge'}>{state}</span>,
        'First served': ({ firstServedAt }) => <When at={firstServedAt} />,
        Size: ({ size }) => <span class="number">{formatBytes(size)}</span>,
        'Files added / changed / removed': ({ added, changed, removed }) =>
          `${added} / ${changed} / ${removed}`,
        Digest: ({ digest }) => <code title={`sha256:${digest}`}>{digest.slice(0, 12)}</code>,
        '': ({ digest, state }) =>
          (state === 'kept' || state === 'gone') && (
            <div class="actions">
              {state === 'kept' && (
                <QuietLink href={`${editionsPath(slug)}/${digest}/rollback`}>Roll back…</QuietLink>
              )}
              <QuietLink href={`${editionsPath(slug)}/${digest}/withdraw`}>Withdraw…</QuietLink>
            </div>
          ),
      }}
      rows={listed}
      empty={<Empty>No editions yet: only a published or archived item has some.</Empty>}
    />,
  );
}
