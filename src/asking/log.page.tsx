import {
  addressAt,
  type Columns,
  DataTable,
  Empty,
  NoMatch,
  Pager,
  readPlace,
  When,
} from '../platform/site/data-table.tsx';
import { Button, Choices, Field, QuietLink, type Options, Select } from '../platform/site/form.tsx';
import { formatsIn } from '../words/formats.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import type { Words } from '../words/words.ts';
import { bytesIn, useWords, officeOf } from '../platform/site/words.tsx';
import { DAY, readInstant } from '../platform/base/duration.ts';
import { type LogQuery, pagedDownloads, type PagedQuestion, pagedQuestions } from './log.ts';
import type { Http, Stall } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { nameItem } from '../accounts/items.ts';
import { findAccount } from '../accounts/account.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { handleForm, type Refused } from '../platform/site/handle-form.ts';
import { inAccount, sendPage } from '../platform/site/page.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { Address, ItemTitle } from '../catalog/items.part.tsx';
import type { OfferedItem } from '../catalog/item.rule.ts';
import type { PagedDownload } from './log.sql.ts';
import { type CsvColumns, iso, sendCsv } from '../accounts/written-answer.ts';
import type { LogPage, LogPlace, Paged } from '../platform/store/paging.ts';
import { readRowId } from '../platform/base/text.ts';
import type { CsvCell } from '../platform/base/csv-rows.ts';

const NONE = { rows: [], newer: null, older: null };

type Place = '/admin' | '/dashboard';

export async function showLog<Row extends LogRow>(
  http: Http,
  who: SessionPrincipal,
  { place, table, query }: { readonly place: Place; readonly table: LogTable<Row>; readonly query: Query },
): Promise<Response> {
  const w = officeOf(http, who);
  const { stall } = http;
  const { name } = table;
  const view = http.viewOf(who);
  const { logs: words, keys: keyWords } = view.words.library;
  const { title, caption, empty, word, words: values } = words[table.what];
  const path = `${place}/${name}` as const;
  const keys = place === '/admin' ? null : stall.store.listKeys('key', who.accountId);
  const typed = readFilter(query);
  const isFiltered = addressAt(path, typed, null) !== path;
  const filter = (rows: readonly Row[]) => (
    <form class="filters log-filters" action={path} method="get" aria-label={words.filter}>
      <details open={isFiltered}>
        <summary>{words.filter}</summary>
        <div>
          {keys === null && (
            <Field label={w.common.account} name="account" type="email" value={typed.account} />
          )}
          <Select
            label={words.item}
            name="item"
            any={words.any}
            options={itemOptions(stall, table, rows, who)}
            value={typed.item}
          />
          <Select
            label={word}
            name={table.word}
            any={words.any}
            options={Object.entries(values)}
            value={typed[table.word]}
          />
          {keys !== null && (
            <Select
              label={words.key}
              name="key"
              any={words.any}
              options={keys.map((key) => [String(key.id), `${key.name} (${key.prefix}…)`])}
              value={typed.key}
            />
          )}
          <Day label={words.from} name="from" value={typed.from} />
          <Day label={words.until} name="until" value={typed.until} />
          <Button kind="quiet">{words.filter}</Button>
        </div>
      </details>
      <QuietLink href={addressAt(`${path}.csv`, typed, null)}>{view.words.frame.saveCsv}</QuietLink>
    </form>
  );
  const answer = ({ rows, newer, older }: LogPage<Row>, refused: Refused | null) => {
    const log = (
      <>
        {(isFiltered || rows.length > 0) && filter(rows)}
        <DataTable
          caption={caption}
          columns={{
            [words.when]: ({ at }) => <When at={at} withTime />,
            [words.item]: (row) => itemCell(stall, table.item(row), who),
            ...(keys === null
              ? {
                  [w.common.account]: ({ email }: Row) =>
                    email === null ? w.logs.anonymous : <Address email={email} />,
                }
              : {}),
            [words.key]: (row) => <KeyUsed {...row} />,
            ...table.columns(view.words),
          }}
          rows={rows}
          empty={
            isFiltered ? (
              <NoMatch path={path}>{words.noMatch}</NoMatch>
            ) : keys === null ? (
              <Empty>{w.logs.noEntries}</Empty>
            ) : (
              <Empty action={<QuietLink href="/dashboard/api-keys">{keyWords.title}</QuietLink>}>
                {empty}
              </Empty>
            )
          }
        />
        <Pager newer={newer} older={older} to={(beside) => addressAt(path, typed, beside)} />
      </>
    );
    if (keys === null) return sendAdminPage(http, who, { current: `/admin/${name}`, title, refused }, log);
    const choices = [questions, downloads].map((one) => ({
      href: `/dashboard/${one.name}`,
      name: words[one.what].title,
      isChosen: one.name === name,
    }));
    return sendPage(
      view,
      { title, heading: words.title, ...inAccount(view.words), refused },
      <>
        <Choices label={words.title} current="page" choices={choices} />
        {log}
      </>,
    );
  };
  return handleForm(
    async () => answer(pagedLog(http, who, { place, table, typed }).page(readPlace(query)), null),
    (refused) => answer(NONE, refused),
  );
}

/** The field for a day. A malformed value turns it into a text field: a date field would hide the mistake. */
const Day = ({ value, ...field }: { label: string; name: string; value: string }) => (
  <Field {...field} type={/^(\d{4}-\d{2}-\d{2})?$/.test(value) ? 'date' : 'text'} value={value} />
);

function itemOptions<Row extends LogRow>(
  stall: Stall,
  table: LogTable<Row>,
  rows: readonly Row[],
  who: SessionPrincipal,
): Options {
  const seen = new Map<string, string>();
  for (const row of rows) {
    const { kind, itemKey, slug } = table.item(row);
    const name = nameItem(stall, kind, itemKey, who);
    seen.set(name?.slug ?? slug, name?.title ?? slug);
  }
  return [...seen].sort(([, a], [, b]) => (a < b ? -1 : 1));
}

/**
 * The fields of a log's filter, as typed; '' selects everything. `account` is an e-mail address, `key` the id of an API key,
 * `door` the way of a download, such as `install`, and days are in UTC.
 */
const NAMES = ['account', 'item', 'outcome', 'door', 'key', 'from', 'until'] as const;

type TypedFilter = Readonly<Record<(typeof NAMES)[number], string>>;

function readFilter(query: Query): TypedFilter {
  const typed = NAMES.map((name) => [name, (query[name] ?? '').trim()] as const);
  return Object.fromEntries(typed) as TypedFilter;
}

type AskedLog<Row extends LogRow> = {
  readonly place: Place;
  readonly table: LogTable<Row>;
  readonly typed: TypedFilter;
};

function pagedLog<Row extends LogRow>(
  { stall }: Http,
  { accountId }: SessionPrincipal,
  { place, table, typed }: AskedLog<Row>,
): Paged<Row> {
  const { account, item, key, from, until } = typed;
  const ofOne = place === '/admin' && account !== '' ? findAccount(stall, account).id : null;
  const selection = {
    accountId: place === '/admin' ? ofOne : accountId,
    item: item || null,
    keyId: key === '' ? null : readKeyId(key),
    from: from === '' ? null : readTime(from),
    // If the end is a day, includes the whole day; if it is a time, ends there.
    until: until === '' ? null : readTime(until) + (until.includes('T') ? 0 : DAY),
  };
  return table.paged(stall, selection, typed[table.word] || null);
}

function readKeyId(text: string): number {
  const id = readRowId(text);
  if (id !== null) return id;
  throw new ToldRefusal('invalid-request', (r) => r.library.unknownKey({ key: text.slice(0, 40) }));
}

const readTime = (typed: string): number =>
  readInstant(typed, (text) => new ToldRefusal('invalid-request', (r) => r.library.noTime({ text })));

/** Sends a whole log as CSV, newest first: times in ISO 8601 UTC, sizes in bytes. */
export async function sendLog<Row extends LogRow>(
  http: Http,
  request: Request,
  who: SessionPrincipal,
  { place, table, query }: { readonly place: Place; readonly table: LogTable<Row>; readonly query: Query },
): Promise<Response> {
  const columns: CsvColumns<Row> = {
    time: ({ at }) => iso(at),
    account: ({ email }) => email,
    key: ({ keyId }) => (keyId === null ? null : String(keyId)),
    key_name: ({ keyName }) => keyName,
    ...Object.fromEntries(
      Object.entries<OwnCell<Row>>(table.record).map(([field, told]) =>
        typeof told === 'string' ? [told, (row) => row[field as keyof Row] as CsvCell] : [field, told],
      ),
    ),
  };
  const rows = pagedLog(http, who, { place, table, typed: readFilter(query) }).all();
  const [route, name] = [`${place}/${table.name}.csv`, `bookstall-${table.what}.csv`];
  return sendCsv(http, request, { route, name, columns }, rows);
}

type LogRow = LogPlace & {
  readonly id: string;
  readonly at: number;
  readonly email: string | null;
  readonly keyId: number | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
};

/** The fields of a row that only its log has, and the row's id. */
type OwnField<Row> = Exclude<keyof Row, Exclude<keyof LogRow, 'id'> | 'accountId'>;

/** The name of a field's column in the file, or the cell of a column with the field's own name. */
type OwnCell<Row> = string | ((row: Row) => CsvCell);

/**
 * One of the two logs, as a page and as a CSV file. `word` is the filter that only this log has. `columns` are the columns that
 * it adds on the page, `record` those that it adds to the file.
 */
type LogTable<Row extends LogRow> = {
  readonly what: 'questions' | 'downloads';
  readonly name: 'logs' | 'downloads';
  readonly word: 'outcome' | 'door';
  readonly columns: (words: Words) => Columns<Row>;
  readonly record: Readonly<Record<OwnField<Row>, OwnCell<Row>>>;
  readonly item: (row: Row) => OfferedItem;
  readonly paged: (stall: Stall, query: LogQuery, word: string | null) => Paged<Row>;
};

/** Shows an item's title, with a link if the item is listed; the slug in the row if the item no longer exists. */
function itemCell(stall: Stall, { kind, itemKey, slug }: OfferedItem, who: SessionPrincipal) {
  const name = nameItem(stall, kind, itemKey, who);
  if (name === null) return <code>{slug}</code>;
  if (!name.isListed) return <ItemTitle {...name} />;
  return (
    <a href={`/${kind}s/${name.slug}`}>
      <ItemTitle {...name} />
    </a>
  );
}

function KeyUsed({ keyId, keyName, keyPrefix }: LogRow) {
  const { logs: words } = useWords().library;
  if (keyId === null) return <>{words.noKey}</>;
  if (keyName === null) return <>{words.removedKey}</>;
  return (
    <span>
      {keyName} <code class="brief">{keyPrefix}…</code>
    </span>
  );
}

const wordFor = (words: Readonly<Record<string, string>>, value: string): string => words[value] ?? value;

export const questions: LogTable<PagedQuestion> = {
  what: 'questions',
  name: 'logs',
  word: 'outcome',
  columns(all) {
    const { logs: words } = all.library;
    return {
      [words.askedBy]: ({ door }) => wordFor(words.doors, door),
      [words.questions.word]: ({ outcome, engine }) => (
        <span title={words.engine({ engine })}>{wordFor(words.questions.words, outcome)}</span>
      ),
      [words.answer]: ({ answerBytes }) => bytesIn(all, answerBytes),
      [words.tokens]: ({ inputTokens: input, outputTokens: output }) =>
        input + output === 0 ? '–' : words.tokensOf({ input, output }),
      [words.took]: ({ latencyMs }) => (
        <span class="brief">{latencyMs === null ? '–' : formatTime(latencyMs, all.locale)}</span>
      ),
    };
  },
  record: {
    id: 'id',
    bookId: 'book',
    engine: 'engine',
    outcome: 'outcome',
    answerBytes: 'answer_bytes',
    inputTokens: 'input_tokens',
    outputTokens: 'output_tokens',
    latencyMs: 'latency_ms',
    door: 'door',
  },
  item: ({ bookId }) => ({ kind: 'book', itemKey: bookId, slug: bookId }),
  paged: (stall, query, outcome) => pagedQuestions(stall, { ...query, outcome }),
};

/** Writes a duration as `320 ms`, `1.8 s` or `24 s`. */
function formatTime(milliseconds: number, locale: string): string {
  const { number, tenths } = formatsIn(locale);
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1000;
  return `${seconds < 9.95 ? tenths(seconds) : number(Math.round(seconds))} s`;
}

export const downloads: LogTable<PagedDownload> = {
  what: 'downloads',
  name: 'downloads',
  word: 'door',
  columns(all) {
    const { logs: words } = all.library;
    return {
      [words.downloads.word]: ({ door }) => wordFor(words.downloads.words, door),
      [words.size]: ({ bytes }) => bytesIn(all, bytes),
      [words.digest]: ({ digest }) => (
        <code class="brief" title={`sha256:${digest}`}>
          {digest.slice(0, 12)}…
        </code>
      ),
    };
  },
  record: {
    id: 'id',
    kind: 'kind',
    slug: 'slug',
    itemKey: 'item',
    door: 'door',
    bytes: 'bytes',
    digest: ({ digest }) => `sha256:${digest}`,
  },
  item: ({ kind, itemKey, slug }) => ({ kind: kind === 'book' ? 'book' : 'skill', itemKey, slug }),
  paged: (stall, query, door) => pagedDownloads(stall, { ...query, door }),
};
