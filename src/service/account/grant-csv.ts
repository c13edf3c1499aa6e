import { readCsvRows } from '../csv-rows.ts';

/** A row of a grant import. Times are ISO 8601; `source` says where the grant came from. */
export type GrantRequest = {
  readonly email: string;
  readonly slug: string;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly source?: string | undefined;
};

/** A row of a CSV text, with the line it ends on. */
type GrantRow = { readonly line: number; readonly fields: GrantRequest };

const TABLE = { name: 'grants', columns: ['email', 'slug', 'from', 'until', 'source'], required: 2 };

/** Reads the rows of a CSV text with the header `email,slug,from,until,source` (the last three optional), in slices between which others have their turn. */
export async function readGrantRows(csv: string): Promise<readonly GrantRow[]> {
  return (await readCsvRows(csv, TABLE)).map(({ line, field }) => ({
    line,
    fields: {
      email: field('email') ?? '',
      slug: field('slug') ?? '',
      from: field('from'),
      until: field('until'),
      source: field('source'),
    },
  }));
}
