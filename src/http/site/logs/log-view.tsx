import type { ComponentChildren } from 'preact';
import type { LogPage } from '../../../service/row-pages.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Button, ButtonLink } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { When } from '../parts/when.tsx';
import { addressOf, type TypedFilter } from './filter.ts';
import { ItemCell, KeyCell, type LogTable, type LogRow, type NameItem } from './log-table.tsx';

type Option = { readonly value: string; readonly label: string };

/** A log's path, and the keys it may be filtered by; null if the log is of all accounts, and has a column for them. */
type LogPlacement = { readonly path: string; readonly keys: readonly Option[] | null };

type LogViewProps<Row extends LogRow> = {
  table: LogTable<Row>;
  placement: LogPlacement;
  typed: TypedFilter;
  page: LogPage<Row>;
  nameItem: NameItem;
};

/** A page of a log: its filter, its rows and links to the pages beside it. */
export function LogView<Row extends LogRow>({ table, placement, typed, page, nameItem }: LogViewProps<Row>) {
  const { path, keys } = placement;
  const isFiltered = addressOf(path, typed) !== path;
  return (
    <>
      {(isFiltered || page.rows.length > 0) && (
        <LogFilter
          table={table}
          placement={placement}
          typed={typed}
          items={itemOptions(table, page.rows, nameItem)}
        />
      )}
      <DataTable
        caption={table.caption}
        columns={['When', 'Item', ...(keys === null ? ['Account'] : []), 'Key', ...table.columns]}
        rows={page.rows.map((row) => ({ key: row.id, cells: cellsOf(table, row, keys === null, nameItem) }))}
        empty={
          isFiltered ? (
            <Empty
              action={
                <ButtonLink href={path} kind="quiet">
                  Show all
                </ButtonLink>
              }
            >
              No entries match this filter.
            </Empty>
          ) : keys === null ? (
            <Empty>No entries yet. Questions and downloads of all readers are listed here.</Empty>
          ) : (
            <Empty
              action={
                <ButtonLink href="/dashboard/api-keys" kind="quiet">
                  API keys
                </ButtonLink>
              }
            >
              {table.empty}
            </Empty>
          )
        }
      />
      <Pager
        newer={page.newer && addressOf(path, typed, page.newer)}
        older={page.older && addressOf(path, typed, page.older)}
      />
    </>
  );
}

function cellsOf<Row extends LogRow>(
  table: LogTable<Row>,
  row: Row,
  withAccount: boolean,
  nameItem: NameItem,
): readonly ComponentChildren[] {
  const { kind, itemKey, slug } = table.item(row);
  return [
    <When at={row.at} withTime />,
    <ItemCell kind={kind} name={nameItem(kind, itemKey)} slug={slug} />,
    ...(withAccount ? [row.email ?? 'anonymous'] : []),
    <KeyCell row={row} />,
    ...table.cells(row),
  ];
}

function LogFilter<Row extends LogRow>({
  table: { word },
  placement: { path, keys },
  typed,
  items,
}: {
  table: LogTable<Row>;
  placement: LogPlacement;
  typed: TypedFilter;
  items: readonly Option[];
}) {
  const words = Object.entries(word.values).map(([value, label]) => ({ value, label }));
  return (
    <form class="filters log-filters" action={path} method="get" aria-label="Filter">
      {keys === null && <Field label="Account" name="account" type="email" value={typed.account} />}
      <Select label="Item" name="item" value={typed.item} options={withTyped(items, typed.item)} />
      <Select
        label={word.label}
        name={word.name}
        value={typed[word.name]}
        options={withTyped(words, typed[word.name])}
      />
      {keys !== null && (
        <Select label="Key" name="key" value={typed.key} options={withTyped(keys, typed.key)} />
      )}
      <Day label="From (UTC)" name="from" value={typed.from} />
      <Day label="Until (UTC)" name="until" value={typed.until} />
      <div class="actions">
        <Button kind="quiet">Filter</Button>
        <ButtonLink href={addressOf(`${path}.csv`, typed)} kind="quiet">
          Save as CSV
        </ButtonLink>
      </div>
    </form>
  );
}

/** A field for a day. A malformed value stays visible to be mended; a date field would show nothing. */
function Day({ value, ...field }: { label: string; name: string; value: string }) {
  return <Field {...field} type={/^(\d{4}-\d{2}-\d{2})?$/.test(value) ? 'date' : 'text'} value={value} />;
}

/** The options, and the chosen value even if it is none of them. */
function withTyped(options: readonly Option[], typed: string): readonly Option[] {
  const isKnown = typed === '' || options.some(({ value }) => value === typed);
  return [{ value: '', label: 'Any' }, ...options, ...(isKnown ? [] : [{ value: typed, label: typed }])];
}

/** The items on the page. */
function itemOptions<Row extends LogRow>(
  table: LogTable<Row>,
  rows: readonly Row[],
  nameItem: NameItem,
): readonly Option[] {
  const seen = new Map<string, string>();
  for (const row of rows) {
    const { kind, itemKey, slug } = table.item(row);
    const name = nameItem(kind, itemKey);
    seen.set(name?.slug ?? slug, name?.title ?? slug);
  }
  return [...seen].map(([value, label]) => ({ value, label })).sort((a, b) => (a.label < b.label ? -1 : 1));
}
