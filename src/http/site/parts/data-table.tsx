import type { ComponentChildren } from 'preact';

type Row = { readonly key: string; readonly cells: readonly ComponentChildren[] };

/**
 * A table under a caption that says what its heading does not; its first cell names the row, a column named '' holds what can be done. On a phone each row is a list, which
 * is why the roles are spelled out: browsers forget them with the table's display. Without rows, `empty` stands instead.
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
