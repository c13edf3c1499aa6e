// The rows of the table, and how numbers are written in them.

/** One line of the table. `isMet` is null if there is no bound. */
export type Row = {
  readonly figure: string;
  readonly bound: string;
  readonly measured: string;
  readonly ratio: string;
  readonly isMet: boolean | null;
  readonly command: string;
};

const COLUMNS = ['figure', 'bound', 'measured', 'ratio', 'met', 'command'] as const;

/** The rows as a markdown table. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const met = row.isMet === null ? '' : row.isMet ? 'yes' : '**no**';
    return [row.figure, row.bound, row.measured, row.ratio, met, `\`${row.command}\``];
  });
  return [COLUMNS, COLUMNS.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Milliseconds. */
export function ms(milliseconds: number): string {
  return milliseconds < 10
    ? `${milliseconds.toFixed(2)} ms`
    : `${Math.round(milliseconds).toLocaleString('en')} ms`;
}

/** Bytes as MB of 1,048,576. */
export function mb(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

/** Requests a second. */
export function rate(perSecond: number): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s`;
}

export function ratio(ours: number, theirs: number): string {
  return `${(ours / theirs).toFixed(2)} x`;
}
