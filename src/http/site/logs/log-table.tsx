import type { ComponentChildren } from 'preact';
import type { ItemName } from '../../../service/items.ts';
import type { LogQuery } from '../../../service/admin/log-pages.ts';
import type { LogPage, PagePlace } from '../../../service/row-pages.ts';
import { ItemTitle } from '../parts/item-title.tsx';
import type { Service } from '../../../service/service.ts';
import type { ItemKind } from '../../../item/item.ts';

type Logs = Service['logs'];

/** Finds an item's name, as `createItemNames` does. */
export type NameItem = (kind: ItemKind, itemKey: string) => ItemName | null;

/** A row of either log. */
export type LogRow = {
  readonly id: string;
  readonly at: number;
  readonly email: string | null;
  readonly keyId: number | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
};

/**
 * One log as pages and files show it: `word` is the one filter that only this log has, `item` the item of a row; `cells`
 * belong under `columns`, and `record` under `header`.
 */
export type LogTable<Row extends LogRow> = {
  readonly file: string;
  readonly caption: string;
  readonly empty: string;
  readonly word: {
    readonly name: 'outcome' | 'door';
    readonly label: string;
    readonly values: Readonly<Record<string, string>>;
  };
  readonly columns: readonly string[];
  readonly cells: (row: Row) => readonly ComponentChildren[];
  readonly header: readonly string[];
  readonly record: (row: Row) => readonly (string | number | null)[];
  readonly item: (row: Row) => {
    readonly kind: 'book' | 'skill';
    readonly itemKey: string;
    readonly slug: string;
  };
  readonly page: (
    logs: Logs,
    query: LogQuery,
    word: string | null,
    place: PagePlace,
  ) => Promise<LogPage<Row>>;
  readonly rows: (logs: Logs, query: LogQuery, word: string | null) => AsyncGenerator<readonly Row[]>;
};

/** An item's title, linked to its page if it has one; if the item is gone, the row's own name for it. */
export function ItemCell({
  kind,
  name,
  slug,
}: {
  kind: 'book' | 'skill';
  name: ItemName | null;
  slug: string;
}) {
  if (name === null) return <code>{slug}</code>;
  if (!name.isListed) return <ItemTitle {...name} />;
  return (
    <a href={`/${kind}s/${name.slug}`}>
      <ItemTitle {...name} />
    </a>
  );
}

/** The key that was used: its name and first characters. */
export function KeyCell({ row: { keyId, keyName, keyPrefix } }: { row: LogRow }) {
  if (keyId === null) return <>none</>;
  if (keyName === null) return <>removed</>;
  return (
    <>
      {keyName} <code class="brief">{keyPrefix}…</code>
    </>
  );
}
