import { directionOf } from '../../../markup/rendered.ts';
import { arrowsOf, useFormats, useWords } from './words.tsx';
import type { ComponentChildren } from 'preact';
import type { PagePlace } from '../../../service/logs.ts';
import type { Query } from '../../http.ts';
import { QuietLink } from './form.tsx';

/** The columns of a table by name, each with a function that makes a row's cell. A column named '' holds actions. */
export type Columns<Row> = Readonly<Record<string, (row: Row, index: number) => ComponentChildren>>;

type DataTableProps<Row> = {
  readonly caption: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  readonly empty?: ComponentChildren;
};

/**
 * A table with a caption, whose first cell in a row names the row. On a phone each row becomes a list; browsers drop the
 * roles of a table whose display changes, so they are spelled out. Without rows, `empty` is shown.
 */
export function DataTable<Row>({ caption, columns, rows, empty }: DataTableProps<Row>) {
  const { frame } = useWords();
  if (rows.length === 0) return <>{empty}</>;
  return (
    <table class="data" role="table">
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {Object.keys(columns).map((column) => (
            <th role="columnheader" scope="col">
              {column === '' ? <span class="unseen">{frame.actions}</span> : column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr role="row">
            {Object.entries(columns).map(([column, cell], n) => {
              const [Cell, role] = n === 0 ? (['th', 'rowheader'] as const) : (['td', 'cell'] as const);
              return (
                <Cell role={role} scope={n === 0 ? 'row' : undefined} data-column={column || undefined}>
                  {cell(row, index)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Names with their values; a null value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ),
      )}
    </dl>
  );
}

type PagerProps<Place> = {
  readonly newer: Place | null;
  readonly older: Place | null;
  readonly to: (place: Place) => string;
  readonly names?: readonly [before: string, after: string];
};

/**
 * Links to the pages beside this one, if there are any; `to` gives their addresses. `names` are for lists that are not
 * ordered by time.
 */
export function Pager<Place>({ newer, older, to, names }: PagerProps<Place>) {
  const { frame, language } = useWords();
  if (newer === null && older === null) return null;
  const [back, on] = arrowsOf(directionOf(language));
  const [before, after] = names ?? [frame.newer, frame.older];
  return (
    <nav class="pager" aria-label={frame.pages}>
      {newer !== null && (
        <a rel="prev" href={to(newer)}>
          {back} {before}
        </a>
      )}
      {older !== null && (
        <a rel="next" href={to(older)}>
          {after} {on}
        </a>
      )}
    </nav>
  );
}

/** Reads the number of the page, or of another part, that an address asks for, from 1 on; 1 if missing or malformed. */
export function readPageNumber(query: Query, name = 'page'): number {
  const text = query[name] ?? '';
  return /^[1-9][0-9]{0,6}$/.test(text) ? Number(text) : 1;
}

/** Returns the numbers of the pages before and after a page, null where there is none. */
export function numbersBeside(page: number, isLast: boolean) {
  return { newer: page > 1 ? page - 1 : null, older: isLast ? null : page + 1 };
}

/** Reads from an address where a page of a list begins; null, for the newest rows, if missing or malformed. */
export function readPlace(query: Query): PagePlace {
  for (const side of ['older', 'newer'] as const) {
    const [, at, row] = /^(\d{1,15})-(\d{1,15})$/.exec(query[side] ?? '') ?? [];
    if (at !== undefined) return { beside: { at: Number(at), row: Number(row) }, side };
  }
  return null;
}

/** Returns the address of a page of a list, with the fields of its filter that are not empty, at a place or with a number. */
export function addressAt(
  path: string,
  fields: Readonly<Record<string, string | number | boolean | null>>,
  place: PagePlace | number,
): string {
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value) address.set(name, String(value));
  if (typeof place === 'number') {
    if (place > 1) address.set('page', String(place));
  } else if (place !== null) address.set(place.side, `${place.beside.at}-${place.beside.row}`);
  return address.size === 0 ? path : `${path}?${address}`;
}

/** Stands in place of a list without entries: a sentence and the next step. */
export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action !== undefined && <div class="actions">{action}</div>}
    </div>
  );
}

/** The link to a table's file. */
export const SaveCsv = ({ href }: { href: string }) => (
  <div class="actions">
    <QuietLink href={href}>{useWords().frame.saveCsv}</QuietLink>
  </div>
);

/** Stands in place of a list if no entry matches its filter. */
export function NoMatch({ path, children }: { path: string; children: ComponentChildren }) {
  const { frame } = useWords();
  return <Empty action={<QuietLink href={path}>{frame.showAll}</QuietLink>}>{children}</Empty>;
}

type WhenProps = { readonly at: number | null; readonly never?: string; readonly withTime?: boolean };

/** An instant, given in milliseconds since 1970, as its day in UTC; the script rewrites it in the reader's zone. */
export function When({ at, never, withTime = false }: WhenProps) {
  const { instant } = useFormats();
  const { frame } = useWords();
  if (at === null) return <>{never ?? frame.never}</>;
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={`${instant(date, true, 'UTC')} UTC`} data-with-time={withTime}>
      {instant(date, withTime, 'UTC')}
      {withTime && ' UTC'}
    </time>
  );
}
