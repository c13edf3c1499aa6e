import { describe, expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { createConnections } from '../../../src/platform/http/budget.ts';
import { sendWritten } from '../../../src/accounts/written-answer.ts';
import type { Http } from '../../../src/office/stall.ts';
import { createRequestLog } from '../../../src/platform/http/request-log.ts';
import { createSender } from '../../../src/platform/http/sender.ts';
import { csvLine } from '../../../src/platform/base/csv-rows.ts';
import { until } from '../../helpers/harness.ts';
import { openSocket } from '../http/raw-socket.ts';

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

/** A server that sends texts, with the bytes that its log says it sent. */
function serve(texts: () => AsyncGenerator<string>) {
  const logged: unknown[] = [];
  const requestLog = createRequestLog(({ bytes }) => void logged.push(bytes));
  const addressOf = () => ({ key: 'a', coarseKey: '' });
  const connections = createConnections(() => server);
  const sender = createSender({ addressOf }, connections, requestLog);
  const budgets = { enterList: () => () => {}, addressOf: () => ({ key: '' }) };
  const http = { sender, requestLog, budgets } as unknown as Http;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const response = await sendWritten(http, request, { route: '/', headers: {} }, texts());
      requestLog.answered(request, '/', response);
      return response;
    },
    error: () => new Response(null, { status: 500 }),
  });
  return { server, logged };
}

describe('a body of texts', () => {
  test.each([
    ['short', 1, '14'],
    ['long', 100_000, null],
  ])('that is %s is read whole, and its bytes are counted', async (_, times, length) => {
    const { server, logged } = serve(async function* () {
      yield 'é,1\r\n'.repeat(times);
      yield 'b,2€\r\n'.repeat(times);
    });
    using _server = server;
    const response = await fetch(server.url);
    expect(response.headers.get('content-length')).toBe(length);
    expect(await response.text()).toBe('é,1\r\n'.repeat(times) + 'b,2€\r\n'.repeat(times));
    await until(() => logged.length > 0);
    expect(logged).toEqual([14 * times]);
  });

  test('is read no further than its client takes, and ends with it', async () => {
    const seen = { texts: 0, ended: false };
    const { server, logged } = serve(async function* () {
      try {
        for (;;) {
          seen.texts++;
          yield 'x'.repeat(100_000);
        }
      } finally {
        seen.ended = true;
      }
    });
    using _server = server;
    const socket = openSocket(server.url.origin, ['GET / HTTP/1.1', 'Host: x']);
    socket.pause();
    await until(async () => {
      const before = seen.texts;
      await Bun.sleep(100);
      return before > 0 && seen.texts === before;
    });
    // As much as the kernel's buffers hold, and no more.
    expect(seen.texts).toBeLessThan(320);
    socket.destroy();
    await until(() => seen.ended);
    expect([seen.ended, logged.length]).toEqual([true, 1]);
  });

  test('breaks off when reading fails, so that nobody mistakes half for the whole', async () => {
    const { server, logged } = serve(async function* () {
      yield 'a'.repeat(100_000);
      throw new Error('disk');
    });
    using _server = server;
    await expect(fetch(server.url).then((response) => response.text())).rejects.toThrow();
    await until(() => logged.length > 0);
    expect(logged).toHaveLength(1);
  });

  test('of which reading fails before the first piece is a plain answer', async () => {
    const { server } = serve(async function* () {
      yield 'a';
      throw new Error('disk');
    });
    using _server = server;
    expect((await fetch(server.url)).status).toBe(500);
  });
});
