import type { ComponentChildren } from 'preact';

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
