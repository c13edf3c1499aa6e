import { describe, expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvAnswer } from '../../src/http/stream.ts';
import { csvLine } from '../../src/service/csv-line.ts';

test.each([
  [['a', 1, null, ''], 'a,1,,\r\n'],
  [['a,b', 'say "hi"', 'two\nlines', 'cr\rhere'], '"a,b","say ""hi""","two\nlines","cr\rhere"\r\n'],
  [[' a ', "it's", 'a=b', 'a-b', 'x@y'], " a ,it's,a=b,a-b,x@y\r\n"],
  [[-5], '-5\r\n'],
] as const)('a record of %j is the line %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

describe('a cell that a spreadsheet would run is defused', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\tx',
    '\rx',
    ' =1',
    '"=1"',
    "'=1",
    ' " =cmd|x!A1',
    '\u0000=1',
    '\u00a0=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
  ])('%j', (text) => {
    const defused = `'${text.replace(/^([\t\r\n])=/, "$1'=")}`;
    expect(parse(csvLine([text]), { relax_column_count: true })).toEqual([[defused]]);
  });
});

test.each([
  ["x;=cmd|'/C calc'!A0;y", `"x;'=cmd|'/C calc'!A0;y"`],
  ['x\t+1', `"x\t'+1"`],
  ['x; @SUM(A1)', `"x;' @SUM(A1)"`],
  ['x\n-1', `"x\n'-1"`],
  ['x;＝1', `"x;'＝1"`],
  ['a;b', '"a;b"'],
  ['a\tb', '"a\tb"'],
])('the cell %j, which a spreadsheet may divide, is written %j', (cell, field) => {
  expect(csvLine([cell, 'z'])).toBe(`${field},z\r\n`);
  expect(csvLine(['z', cell])).toBe(`z,${field}\r\n`);
});

test.each([';', '\t', ','])('divided at %j, no field of any line is a formula', (separator) => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...';\t\n\r"\'=+-@ x,') })), (cells) => {
      // As readers do that take a quotation mark for a part of a field that does not begin with one.
      const fields = csvLine(cells)
        .split(/[\r\n]/)
        .flatMap((line) => line.split(separator));
      if (separator !== ',')
        for (const field of fields) expect(field.replace(/^["\s]+/, '')).not.toMatch(/^[=+\-@]/);
      expect(parse(csvLine(['x', ...cells]), { record_delimiter: '\r\n' })).toHaveLength(1);
    }),
  );
});

test('any cells come back from a reader of RFC 4180, except for an apostrophe before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 5 }), (cells) => {
      const [read = []] = parse(csvLine(cells), { record_delimiter: '\r\n' });
      const within = (cell: string): string => (/[;\t\r\n]/.test(cell) ? cell.replaceAll("'", '') : cell);
      const restored = read.map((cell, n) => (cell === cells[n] ? cell : cell.replace(/^'/, '')));
      expect(restored.map(within)).toEqual(cells.map(within));
      for (const cell of read) expect(cell).not.toMatch(/(^|[;\t\r\n])[\s"]*[=+\-@]/);
    }),
  );
});

/** A watcher that adds up the bytes it is given. */
function createTally() {
  const tally = { bytes: 0, ends: 0 };
  return {
    tally,
    watcher: { sent: (bytes: number) => (tally.bytes += bytes), end: () => void tally.ends++ },
  };
}

describe('an answer', () => {
  test('is a table that browsers save, and its bytes are counted', async () => {
    const { tally, watcher } = createTally();
    async function* steps() {
      yield [['é', 1]];
      yield [['b', 2]];
    }
    const response = csvAnswer('log.csv', ['name', 'count'], steps(), watcher);
    expect(await response.text()).toBe('name,count\r\né,1\r\nb,2\r\n');
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="log.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(tally).toEqual({ bytes: 23, ends: 1 });
  });

  test('reads no further than its client takes, and ends with it', async () => {
    const { tally, watcher } = createTally();
    const seen = { steps: 0, ended: false };
    async function* steps() {
      try {
        for (;;) {
          seen.steps++;
          yield [['x'.repeat(1000)]];
        }
      } finally {
        seen.ended = true;
      }
    }
    const reader = csvAnswer('log.csv', ['name'], steps(), watcher).body?.getReader();
    await reader?.read();
    await reader?.read();
    await Bun.sleep(5);
    expect(seen.steps).toBeLessThan(5);
    await reader?.cancel();
    expect([seen.ended, tally.ends]).toEqual([true, 1]);
  });

  test('breaks off when reading fails, so that nobody mistakes half for the whole', async () => {
    const { tally, watcher } = createTally();
    async function* steps() {
      yield [['a']];
      throw new Error('disk');
    }
    await expect(csvAnswer('log.csv', ['name'], steps(), watcher).text()).rejects.toThrow('disk');
    await Bun.sleep(1);
    expect(tally.ends).toBe(1);
  });
});
