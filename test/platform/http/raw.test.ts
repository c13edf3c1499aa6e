import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addReader, buildProgram, serve, stallDirectory } from '../../binary/program.ts';
import { openStall } from '../../helpers/harness.ts';
import { type RawCase, SMUGGLED_ROUTE } from '../../fixtures/raw-http/case.ts';
import { CHUNKS, TRAILERS } from '../../fixtures/raw-http/chunk.ts';
import { FRAGMENTS } from '../../fixtures/raw-http/fragment.ts';
import { HEADERS } from '../../fixtures/raw-http/header.ts';
import { HOSTS } from '../../fixtures/raw-http/host.ts';
import { LENGTHS } from '../../fixtures/raw-http/length.ts';
import { LIMITS } from '../../fixtures/raw-http/limit.ts';
import { METHODS } from '../../fixtures/raw-http/method.ts';
import { PIPELINES } from '../../fixtures/raw-http/pipeline.ts';
import { byteByByte, cutAt, play, playThrough, type Subject } from '../../fixtures/raw-http/play.ts';
import { REQUEST_LINES } from '../../fixtures/raw-http/request-line.ts';
import { SMUGGLING } from '../../fixtures/raw-http/smuggling.ts';
import { TARGETS } from '../../fixtures/raw-http/target.ts';
import { openWire } from '../../fixtures/raw-http/wire.ts';

/** Whether Bun itself is tried, by `bun run check:bun`; else only what Bookstall decides is. */
const isBunTried = process.env['BOOKSTALL_TRY_BUN'] === '1';

const GROUPS: Readonly<Record<string, readonly RawCase[]>> = {
  'request line': REQUEST_LINES,
  fragments: FRAGMENTS,
  Host: HOSTS,
  headers: HEADERS,
  'Content-Length': LENGTHS,
  chunks: CHUNKS,
  smuggling: SMUGGLING,
  methods: METHODS,
  targets: TARGETS,
  connections: PIPELINES,
  limits: LIMITS,
};
const CASES = [...Object.values(GROUPS).flat(), ...TRAILERS];

/** Cases that are cut in two at every byte. */
const CUT = [
  'a request with all it needs',
  'two Hosts',
  'a folded value',
  'a body of the length it says',
  'two different lengths',
  'two chunks',
  'an extension',
  'a size with 0x',
  'nothing after a chunk',
  'both lengths around a request',
  'chunked after a comma',
  'a chunk of an invalid size before a request',
  'a request as the body of a GET',
  'three requests at once',
];
const SHORT = 1_000;
/** For tests of hundreds of connections, on a machine that has other things to do; in milliseconds. */
const PATIENCE = 120_000;

await buildProgram();
const stall = await openStall();
const { key } = await stall.reader('reader@example.org', 'paid-book', 'paid-skill');
const program = await serve(stallDirectory(), ['--budget', 'off', '--route-budget', 'off']);
const reader = await addReader(program, 'reader@example.org', 'paid-book', 'paid-skill');

describe.each([
  ['in this process', await subjectOf(stall.url, key), () => JSON.stringify(stall.log)],
  ['compiled', await subjectOf(program.url, reader.key), () => program.err.text()],
] as const)('a stall %s', (_, subject, log) => {
  for (const [group, cases] of Object.entries(GROUPS))
    test.each(cases.filter(isTried).map((row) => [row.name, row] as const))(
      `${group}: %s`,
      async (_, row) => {
        const outcome = await play(row, subject);
        // A Bun that mends what it did "despite" breaks this: then the row loses it, and README.md's table a line.
        if (row.despite !== undefined) expect(outcome).toBe(row.despite.outcome);
        else expect(row.allowed).toContain(outcome);
      },
      PATIENCE,
    );

  // Refused at once, or after an answer if Bun has handed the body over already (429: the places of questions that
  // broke a moment ago are not free yet); what comes behind is never served.
  if (isBunTried)
    test.each(TRAILERS.map((row) => [row.name, row] as const))('after the last chunk: %s', async (_, row) => {
      expect(await playThrough(row, subject)).toBeOneOf([[400], [200, 400], [429, 400]]);
    });

  test('is alive, ran nothing that was smuggled and had no internal error', async () => {
    expect((await fetch(`${subject.url}/livez`)).status).toBe(200);
    // Matched apart: a failure would print the whole log.
    const found = ['/api/agent/fetch', SMUGGLED_ROUTE, 'internal-error', subject.key].filter((text) =>
      log().includes(text),
    );
    expect(found).toEqual(['/api/agent/fetch']);
  });
});

if (isBunTried)
  describe('TCP may cut a request anywhere', async () => {
    const subject = await subjectOf(stall.url, key);

    test.each(CUT)(
      '%s, in two pieces at every byte',
      async (name) => {
        const row = CASES.find((found) => found.name === name);
        if (row === undefined) throw new Error(`No case is named ${name}`);
        for (let position = 1; position < row.bytes.length; position++)
          expect(outcomesOf(row)).toContain(await play(row, subject, cutAt(position)));
      },
      PATIENCE,
    );

    test.each(Object.entries(GROUPS))(
      '%s, byte by byte',
      async (_, cases) => {
        for (const row of cases.filter(isPatient))
          expect([row.name, outcomesOf(row).includes(await play(row, subject, byteByByte))]).toEqual([
            row.name,
            true,
          ]);
      },
      PATIENCE,
    );

    test('and nothing was smuggled', () => {
      expect(JSON.stringify(stall.log).includes(SMUGGLED_ROUTE)).toBe(false);
      expect(stall.app.server.server?.pendingRequests).toBe(0);
    });
  });

test('README.md of the cases lists everything that Bun decides against the RFC', () => {
  const readme = readFileSync(join(import.meta.dir, '../../fixtures/raw-http/README.md'), 'utf8').replaceAll(
    /\s+/g,
    ' ',
  );
  const listed = CASES.flatMap(({ name, despite }) =>
    despite ? [`| ${name} | ${answered(despite.outcome)} | ${despite.upstream} |`] : [],
  );
  expect(listed.filter((line) => !readme.includes(line))).toEqual([]);
  expect(readme).toContain(`${CASES.length} cases`);
});

function isTried({ by }: RawCase): boolean {
  return isBunTried || by === 'bookstall';
}

/** Not those whose outcome depends on what has arrived already when the answer is made. */
function isPatient(row: RawCase): boolean {
  return row.bytes.length < SHORT && row.despite === undefined;
}

/** The outcomes of a case whose pieces arrive one by one: a refusal may then be lost with the connection. */
function outcomesOf({ allowed, despite, by }: RawCase): readonly unknown[] {
  return [...allowed, despite?.outcome, ...(by === 'bun' ? ['closed'] : [])];
}

function answered(outcome: unknown): string {
  return typeof outcome === 'number' ? String(outcome) : `the connection is ${outcome}`;
}

/** Its turn is a request over another connection: when that is answered, what was sent before has been read. */
async function subjectOf(url: string, key: string): Promise<Subject> {
  const other = await openWire(url);
  const turn = async (): Promise<void> => {
    other.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await other.until(other.answers.length + 1);
  };
  return { url, key, turn };
}
