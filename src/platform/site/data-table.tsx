import { arrowsOf, useFormats, useWords } from './words.tsx';
import type { ComponentChildren } from 'preact';
import type { Query } from '../http/http.ts';
import { QuietLink } from './form.tsx';
import type { PagePlace } from '../store/paging.ts';
import { directionOf } from '../base/direction.ts';

/** The columns of a table by name, each with a function that renders a row's cell. The column '' holds buttons and links. */
export type Columns<Row> = Readonly<Record<string, (row: Row, index: number) => ComponentChildren>>;

type DataTableProps<Row> = {
  readonly caption: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  readonly empty?: ComponentChildren;
};

/**
 * A table with a caption; the first cell of a row is its heading. On a phone each row becomes a list. The ARIA roles are
 * written out, since browsers drop those of a table that is not displayed as one. Without rows, shows `empty`.
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
 * Links to the previous and the next page, if there are any. `to` returns their addresses. `names` replaces their labels,
 * "newer" and "older", in lists that are not ordered by time.
 */
export function Pager<Place>({ newer, older, to, names }: PagerProps<Place>) {
  const { frame, language } = useWords();
  if (newer === null && older === null) return null;
  const { back, on } = arrowsOf(directionOf(language));
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

export function readPageNumber(query: Query, name = 'page'): number {
  const text = query[name] ?? '';
  return /^[1-9][0-9]{0,6}$/.test(text) ? Number(text) : 1;
}

export function numbersBeside(page: number, isLast: boolean) {
  return { newer: page > 1 ? page - 1 : null, older: isLast ? null : page + 1 };
}

export function readPlace(query: Query): PagePlace {
  for (const side of ['older', 'newer'] as const) {
    const [, at, row] = /^(\d{1,15})-(\d{1,15})$/.exec(query[side] ?? '') ?? [];
    if (at !== undefined) return { beside: { at: Number(at), row: Number(row) }, side };
  }
  return null;
}

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

export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action !== undefined && <div class="actions">{action}</div>}
    </div>
  );
}

export const SaveCsv = ({ href }: { href: string }) => (
  <div class="actions">
    <QuietLink href={href}>{useWords().frame.saveCsv}</QuietLink>
  </div>
);

export function NoMatch({ path, children }: { path: string; children: ComponentChildren }) {
  const { frame } = useWords();
  return <Empty action={<QuietLink href={path}>{frame.showAll}</QuietLink>}>{children}</Empty>;
}

type WhenProps = { readonly at: number | null; readonly never?: string; readonly withTime?: boolean };

/**
 * An instant, in milliseconds since 1970, as day or day and time in UTC. The page's script shows it in the reader's time zone.
 */
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
