import { formatInstant } from './instant.ts';
import type { ComponentChildren } from 'preact';
import type { PagePlace } from '../../../service/logs.ts';

type Row = { readonly key: string; readonly cells: readonly ComponentChildren[] };

/**
 * A table with a caption. The first cell of a row names it; a column named '' holds actions. On a phone each row becomes a
 * list, and browsers drop the roles of a table whose display changes, so they are spelled out. Without rows, `empty` is shown.
 */
export function DataTable({
  caption,
  columns,
  rows,
  empty,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly Row[];
  empty: ComponentChildren;
}) {
  if (rows.length === 0) return <>{empty}</>;
  return (
    <table class="data" role="table">
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column} role="columnheader" scope="col">
              {column === '' ? <span class="unseen">Actions</span> : column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ key, cells }) => (
          <tr key={key} role="row">
            {cells.map((cell, index) => (
              <Cell key={index} column={columns[index] ?? ''} isFirst={index === 0}>
                {cell}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({
  column,
  isFirst,
  children,
}: {
  column: string;
  isFirst: boolean;
  children: ComponentChildren;
}) {
  const name = column === '' ? undefined : column;
  return isFirst ? (
    <th role="rowheader" scope="row" data-column={name}>
      {children}
    </th>
  ) : (
    <td role="cell" data-column={name}>
      {children}
    </td>
  );
}

/** Links to the pages beside this one, if there are any. `names` are for lists that are not ordered by time. */
export function Pager({
  newer,
  older,
  names: [before, after] = ['Newer', 'Older'],
}: {
  newer: string | null;
  older: string | null;
  names?: readonly [string, string];
}) {
  if (newer === null && older === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {newer !== null && (
        <a rel="prev" href={newer}>
          ← {before}
        </a>
      )}
      {older !== null && (
        <a rel="next" href={older}>
          {after} →
        </a>
      )}
    </nav>
  );
}

/** The addresses of the pages before and after one of a list. */
type Neighbours = { readonly before: string | null; readonly after: string | null };

/** The number of the page that an address asks for, from 1 on; 1 if missing or malformed. */
export function readPageNumber(query: Readonly<Record<string, string>>): number {
  const text = query['page'] ?? '';
  return /^[1-9][0-9]{0,6}$/.test(text) ? Number(text) : 1;
}

/** The addresses of the pages before and after, with the same filter, whose empty values are left out. */
export function neighboursOf(
  path: string,
  filter: Readonly<Record<string, string>>,
  page: number,
  isLast: boolean,
): Neighbours {
  const kept = Object.entries(filter).filter(([, value]) => value !== '');
  const addressOf = (number: number): string => {
    const words = new URLSearchParams(kept);
    if (number > 1) words.set('page', String(number));
    return words.size === 0 ? path : `${path}?${words}`;
  };
  return { before: page === 1 ? null : addressOf(page - 1), after: isLast ? null : addressOf(page + 1) };
}

/** The place in a page's address; null (newest) if missing or malformed. */
export function readPlace(address: URLSearchParams): PagePlace {
  for (const side of ['older', 'newer'] as const) {
    const [, at, row] = /^(\d{1,15})-(\d{1,15})$/.exec(address.get(side) ?? '') ?? [];
    if (at !== undefined) return { beside: { at: Number(at), row: Number(row) }, side };
  }
  return null;
}

/** The address of a page at a place in a list, with the fields of its filter that are not empty. */
export function addressAt(
  path: string,
  fields: Readonly<Record<string, string | null>>,
  place: PagePlace,
): string {
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value) address.set(name, value);
  if (place !== null) address.set(place.side, `${place.beside.at}-${place.beside.row}`);
  return address.size === 0 ? path : `${path}?${address}`;
}

/** The place of a list without entries: a sentence and the next step. */
export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action !== undefined && <div class="actions">{action}</div>}
    </div>
  );
}

/** An instant, given in milliseconds since 1970, as its day in UTC; the script rewrites it in the reader's zone. */
export function When({
  at,
  never = 'never',
  withTime = false,
}: {
  at: number | null;
  never?: string;
  withTime?: boolean;
}) {
  if (at === null) return <>{never}</>;
  const date = new Date(at);
  return (
    <time
      dateTime={date.toISOString()}
      title={`${formatInstant(date, true, 'UTC')} UTC`}
      data-with-time={withTime}
    >
      {formatInstant(date, withTime, 'UTC')}
      {withTime && ' UTC'}
    </time>
  );
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `812 B`, `49 KB`, `1.2 MB`: a count of bytes in steps of a thousand; from MB on, with one decimal below ten. */
export function formatBytes(count: number): string {
  const sizes = UNITS.map((unit, step) => ({ unit, text: rounded(count / 1000 ** step, step) }));
  const { unit, text } = sizes.find(({ text }) => Number(text) < 1000) ?? sizes[sizes.length - 1]!;
  return `${text} ${unit}`;
}

function rounded(size: number, step: number): string {
  return step > 1 && size < 9.95 ? String(Math.round(size * 10) / 10) : String(Math.round(size));
}
