import { Refusal } from '../../refusal.ts';
import { createTurns } from '../../turn.ts';

/** A grant as it is asked for; times are ISO 8601, `source` says where it came from. */
export type GrantRequest = {
  readonly email: string;
  readonly slug: string;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly source?: string | undefined;
};

/** A row of a CSV text, with the line it ends on. */
export type GrantRow = { readonly line: number; readonly fields: GrantRequest };

const COLUMNS = ['email', 'slug', 'from', 'until', 'source'];

/** Bytes that are parsed at once: a millisecond or two. */
const SLICE = 8 * 1024;

/** Reads the rows of a CSV text with the header `email,slug,from,until,source` (the last three optional), in slices between which others have their turn. */
export async function readGrantRows(csv: string): Promise<readonly GrantRow[]> {
  const [first, ...rows] = await parseRows(Buffer.from(csv));
  const header = first?.record ?? [];
  const unknown = header.filter((name) => !COLUMNS.includes(name));
  if (!header.includes('email') || !header.includes('slug') || unknown.length > 0) {
    throw new Refusal(
      'invalid-request',
      `Cannot import the grants: the first line must be "${COLUMNS.join(',')}", the last three optional, and reads "${header.join(',').slice(0, 200)}"`,
    );
  }
  const turn = createTurns();
  const found: GrantRow[] = [];
  for (const { record, line } of rows) {
    found.push({ line, fields: readFields(header, record) });
    await turn();
  }
  return found;
}

function readFields(header: readonly string[], record: readonly string[]): GrantRequest {
  const value = (name: string): string | undefined => record[header.indexOf(name)] || undefined;
  return {
    email: value('email') ?? '',
    slug: value('slug') ?? '',
    from: value('from'),
    until: value('until'),
    source: value('source'),
  };
}

type Row = { readonly record: readonly string[]; readonly line: number };

/** The rows with the line each ends on: a quoted field may hold line breaks, and blank lines are skipped. */
async function parseRows(csv: Buffer): Promise<readonly Row[]> {
  const { CsvError, parse } = await import('csv-parse');
  const rows: Row[] = [];
  const parser = parse({
    bom: true,
    trim: true,
    skip_empty_lines: true,
    on_record: (record: string[], { lines }) => {
      rows.push({ record, line: lines });
      return null;
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.once('end', resolve).once('error', reject);
  });
  // Looked at below, after the last slice.
  ended.catch(() => {});
  parser.resume();
  const turn = createTurns();
  for (let at = 0; at < csv.length && !parser.destroyed; at += SLICE) {
    parser.write(csv.subarray(at, at + SLICE));
    await turn();
  }
  if (!parser.destroyed) parser.end();
  try {
    await ended;
    return rows;
  } catch (error) {
    if (error instanceof CsvError)
      throw new Refusal('invalid-request', `Cannot import the grants: ${error.message}`);
    throw error;
  }
}
