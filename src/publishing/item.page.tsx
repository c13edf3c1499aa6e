import * as office from '../words/en/office.ts';
import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
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
import { type ItemFigures as Figures, listItemFigures } from '../catalog/figures.ts';
import {
  countHolders,
  findGrantedItem,
  type Holder,
  type LastTime,
  pagedHolders,
} from '../accounts/grant.ts';
import { sendAdminPage, Stat, TimeChart } from '../office/office.part.tsx';
import { itemPath, type ItemView, readItemView } from './items.page.tsx';
import type { Words } from '../words/words.ts';
import { type CsvColumns, iso, sendCsv } from '../accounts/written-answer.ts';
import { GrantState, stateOf } from '../accounts/grant.part.tsx';
import { listEditions } from '../catalog/edition.ts';
import { findSigner } from '../accounts/items.ts';
import { formatBytes } from '../platform/base/text.ts';
import type { LogPage } from '../platform/store/paging.ts';
import { ACCOUNTS, announcePath, editionsPath, editPath, ITEMS } from '../platform/site/linked-pages.ts';
import { OUTCOMES, type Outcome } from '../words/outcome.ts';

export function showItem(http: Http, owner: SessionPrincipal, slug: string, query: Query) {
  const w = officeOf(http, owner);
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
  const by = signer == null ? '' : w.item.signedBy({ signer: signer.name ?? signer.key });
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: manifest?.title ?? slug,
      language: manifest?.language ?? null,
      lead:
        manifest === null
          ? w.item.notServed({ kind: item.kind, slug })
          : `${item.kind}s/${slug}, ${w.common.statuses[manifest.status]}${manifest.version === null ? '' : w.item.version({ version: manifest.version })}${by}`,
      actions: (
        <>
          {manifest !== null && (
            <QuietLink href={`/${item.kind}s/${slug}`}>
              {isShown(manifest) ? w.item.shopLink : w.common.lookAtIt}
            </QuietLink>
          )}
          {edition !== undefined && (
            <QuietLink href={editPath(slug)}>{isUploaded ? w.item.edit : w.item.values}</QuietLink>
          )}
          <QuietLink href={editionsPath(slug)}>{w.item.editions}</QuietLink>
          <QuietLink href={announcePath(slug)}>{w.item.tellReaders}</QuietLink>
        </>
      ),
      said: readFlash(query),
    },
    <>
      {edition !== undefined && !isUploaded && <p class="quiet">{w.item.editHint}</p>}
      {edition !== undefined && item.kind === 'book' && (
        <>
          <p class="quiet">{skillForms(w)[bookSkillForm(edition.files)]}</p>
          <p class="quiet">{questionLine(w, edition)}</p>
        </>
      )}
      {itemFigures(w, http.viewOf(owner).words, item.kind, view, count, figures)}
      {holderTable(w, item.kind, view, page, stall.now())}
    </>,
  );
}

/** Says how many sections of a book have questions in readers' words: a search finds a section by its questions. */
function questionLine(w: Office, { questions }: Edition): string {
  const asked =
    questions === undefined
      ? w.item.noQuestions
      : w.item.someQuestions({
          asked: questions.asked,
          sections: w.counts.sections({ count: questions.sections }),
        });
  return `${asked} ${w.item.questionsHint}`;
}

const MOST_SKILL = { files: MOST_SKILL_FILES, mebibytes: MOST_SKILL_BYTES / 1024 ** 2 };

const skillForms = ({ item }: Office): Readonly<Record<BookSkillForm, string>> => ({
  whole: item.wholeSkill,
  texts: item.textsSkill(MOST_SKILL),
  thin: item.contentsSkill(MOST_SKILL),
});

const IS_UNANSWERED: Readonly<Record<Outcome, boolean>> = {
  answered: false,
  quoted: false,
  not_covered: true,
  unsupported: true,
  declined: false,
};

function itemFigures(
  w: Office,
  { library }: Words,
  kind: ItemKind,
  view: ItemView,
  holders: number,
  figures: readonly Figures[],
) {
  const span = w.item.spans[view.span];
  const charts: readonly (readonly [title: string, name: string, of: (period: Figures) => number])[] = [
    [w.item.pageViews, w.item.pageViewsIn({ span }), ({ views }) => views],
    [w.common.downloads, w.item.downloadsIn({ span }), ({ downloads }) => downloads],
    ...(kind === 'book'
      ? ([
          [w.item.questions, w.item.questionsIn({ span }), askedIn],
          [w.item.unanswered, w.item.unansweredShort, unansweredIn],
        ] as const)
      : []),
  ];
  const by = view.span === 'days' ? 'day' : 'month';
  const seen = Object.entries(library.logs.questions.words).filter(([name]) =>
    figures.some(({ outcomes }) => name in outcomes),
  );
  const outcomes = seen.map(([name, words]) => [words, (one: Figures) => one.outcomes[name] ?? 0] as const);
  return (
    <>
      <dl class="stats">
        <Stat name={w.item.holdersNow({ count: holders })} count={holders} />
        {charts.map(([, name, of]) => (
          <Stat name={name} count={figures.reduce((sum, period) => sum + of(period), 0)} />
        ))}
      </dl>
      <section class="charts">
        <h2>{w.item.spanTitles[view.span]}</h2>
        <Choices
          label={w.item.time}
          choices={(['days', 'months'] as const).map((one) => ({
            href: itemPath({ ...view, span: one }),
            name: w.item.spans[one],
            isChosen: one === view.span,
          }))}
        />
        {charts.map(([title, , of]) => (
          <TimeChart title={title} counts={figures.map((one) => [one.period, of(one)])} />
        ))}
        <details>
          <summary>{w.item.figures({ by })}</summary>
          <DataTable
            caption={w.item[kind === 'book' ? 'bookFigures' : 'skillFigures']({ by })}
            columns={{
              [w.item[by]]: ({ period }) => period,
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

function holderTable(w: Office, kind: ItemKind, view: ItemView, page: LogPage<Holder>, now: number) {
  const { isLive } = view;
  return (
    <section id="holders">
      <h2>{w.item.holdersTitle}</h2>
      <Choices
        label={w.item.grants}
        choices={[true, false].map((one) => ({
          href: `${itemPath({ ...view, isLive: one, place: null })}#holders`,
          name: one ? w.item.active : w.item.all,
          isChosen: one === isLive,
        }))}
      />
      <DataTable
        caption={isLive ? w.item.activeGrants : w.item.allGrants}
        columns={{
          [w.common.account]: ({ accountId, email }) => <a href={`${ACCOUNTS}/${accountId}`}>{email}</a>,
          [w.item.granted]: ({ at }) => <When at={at} />,
          [w.item.source]: ({ source }) => source,
          [w.common.until]: ({ until }) => <When at={until} never={w.item.noEnd} />,
          ...(isLive
            ? {}
            : { [w.common.state]: (one: Holder) => <GrantState account={one} grant={one} now={now} /> }),
          [w.item.lastDownload]: ({ lastDownload }) => <Last at={lastDownload} />,
          ...(kind === 'book'
            ? { [w.item.lastQuestion]: (one: Holder) => <Last at={one.lastQuestion} /> }
            : {}),
        }}
        rows={page.rows}
        empty={
          <Empty action={<QuietLink href={ACCOUNTS}>{w.item.accounts}</QuietLink>}>
            {isLive ? w.item.noActiveGrants : w.item.noGrants}
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

const Last = ({ at }: { at: LastTime }) => {
  const w = useOffice();
  return at === 'not lately' ? <>{w.item.notLately}</> : <When at={at} never="–" />;
};

const columnsAt = (now: number): CsvColumns<Holder> => ({
  account: ({ email }) => email,
  source: ({ source }) => source,
  granted: ({ at }) => iso(at),
  from: ({ from }) => iso(from),
  until: ({ until }) => iso(until),
  revoked: ({ revokedAt }) => iso(revokedAt),
  state: (holder) => office.grants.states[stateOf(holder, holder, now)],
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
  const w = officeOf(http, owner);
  const listed = listEditions(http.stall, slug);
  const kept = http.stall.store.sumKeptEditions();
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: w.item.editionsTitle({ title: findBySlug(http.stall.catalog(), slug)?.manifest.title ?? slug }),
      lead:
        kept.editions === 0
          ? w.item.noKeptEditions
          : w.item.keptEditions({
              editions: kept.editions,
              size: formatBytes(kept.bytes, w.formats.number),
            }),
      said: readFlash(query),
    },
    <DataTable
      caption={w.counts.editions({ count: listed.length })}
      columns={{
        [w.item.edition]: (edition) => <EditionName {...edition} />,
        [w.common.state]: ({ state }) => (
          <span class={state === 'served' ? 'badge good' : 'badge'}>{w.item.states[state]}</span>
        ),
        [w.item.firstServed]: ({ firstServedAt }) => <When at={firstServedAt} />,
        [w.item.size]: ({ size }) => <span class="number">{formatBytes(size, w.formats.number)}</span>,
        [w.item.changedFiles]: ({ added, changed, removed }) => `${added} / ${changed} / ${removed}`,
        [w.item.digest]: ({ digest }) => <code title={`sha256:${digest}`}>{digest.slice(0, 12)}</code>,
        '': ({ digest, state }) =>
          (state === 'kept' || state === 'gone') && (
            <div class="actions">
              {state === 'kept' && (
                <QuietLink href={`${editionsPath(slug)}/${digest}/rollback`}>{w.item.rollBack}</QuietLink>
              )}
              <QuietLink href={`${editionsPath(slug)}/${digest}/withdraw`}>{w.item.withdraw}</QuietLink>
            </div>
          ),
      }}
      rows={listed}
      empty={<Empty>{w.item.noEditions}</Empty>}
    />,
  );
}
