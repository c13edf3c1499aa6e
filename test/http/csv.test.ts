import { describe, expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { createTextStream } from '../../src/http/stream.ts';
import { csvLine } from '../../src/service/csv-rows.ts';
import { until } from '../harness.ts';
import { openSocket } from './raw-socket.ts';

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

describe('a body of texts', () => {
  test('is read whole, and its bytes are counted', async () => {
    const { tally, watcher } = createTally();
    async function* texts() {
      yield 'é,1\r\n';
      yield 'b,2\r\n';
    }
    expect(await new Response(createTextStream(texts(), watcher)).text()).toBe('é,1\r\nb,2\r\n');
    expect(tally).toEqual({ bytes: 11, ends: 1 });
  });

  test('is read no further than its client takes, and ends with it', async () => {
    const { tally, watcher } = createTally();
    const seen = { texts: 0, ended: false };
    async function* texts() {
      try {
        for (;;) {
          seen.texts++;
          yield 'x'.repeat(100_000);
        }
      } finally {
        seen.ended = true;
      }
    }
    const answer = () => new Response(createTextStream(texts(), watcher));
    using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
    const socket = openSocket(server.url.origin, ['GET / HTTP/1.1', 'Host: x']);
    socket.pause();
    await until(async () => {
      const before = seen.texts;
      await Bun.sleep(100);
      return before > 0 && seen.texts === before;
    });
    // What the kernel's buffers hold, and no more.
    expect(tally.bytes).toBeLessThan(32 * 1024 * 1024);
    socket.destroy();
    await until(() => seen.ended);
    expect([seen.ended, tally.ends]).toEqual([true, 1]);
  });

  test('breaks off when reading fails, so that nobody mistakes half for the whole', async () => {
    const { tally, watcher } = createTally();
    async function* texts() {
      yield 'a';
      throw new Error('disk');
    }
    await expect(new Response(createTextStream(texts(), watcher)).text()).rejects.toThrow('disk');
    await Bun.sleep(1);
    expect(tally.ends).toBe(1);
  });
});
