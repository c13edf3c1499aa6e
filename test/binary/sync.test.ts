import { beforeAll, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testTraced } from '../helpers/strace.ts';
import { pathOf, readTrace, textsOf, TRACED } from '../torture/trace.ts';
import { addReader, buildProgram, PROGRAM, run, serve, stallDirectory } from './program.ts';

beforeAll(buildProgram, 300_000);

const traced = (file: string): readonly string[] => [
  'strace',
  '-qq',
  '-f',
  '-y',
  '-tt',
  '-s',
  '9000',
  '-e',
  `trace=${TRACED}`,
  '-o',
  file,
  PROGRAM,
];

type Step = { readonly at: number; readonly what: 'write' | 'sync' | 'answer'; readonly text: string };

/** The write-ahead log and the answers in a trace, in order: a write begins, a sync has returned, an answer begins. */
async function story(file: string, isAnswer: (text: string) => boolean): Promise<readonly Step[]> {
  return readTrace(await Bun.file(file).text())
    .flatMap((call): Step[] => {
      const isLog = pathOf(call).endsWith('.db-wal');
      const text = String(textsOf(call)[0]);
      if (isLog && call.name === 'pwrite64') return [{ at: call.begin, what: 'write', text }];
      if (isLog && call.name.endsWith('sync') && call.result === 0)
        return [{ at: call.end, what: 'sync', text }];
      const isSent = ['write', 'sendto'].includes(call.name) && isAnswer(text);
      return isSent ? [{ at: call.begin, what: 'answer', text }] : [];
    })
    .toSorted((a, b) => a.at - b.at);
}

testTraced.each([
  ['account add', ['bob@example.org']],
  ['key revoke', ['1']],
  ['token create', ['ann@example.org']],
  ['grant add', ['ann@example.org', 'paid-skill']],
] as const)('%s says that it is done after its sync', async (name, words) => {
  const directory = stallDirectory();
  const stall = await serve(directory);
  await addReader(stall, 'ann@example.org', 'paid-book');
  const file = join(directory, 'trace');
  const { code, out } = await run([...name.split(' '), ...words], { cwd: directory, program: traced(file) });
  expect(code).toBe(0);
  const told = (await story(file, (text) => text === out)).map(({ what }) => what);
  const before = told.slice(0, told.indexOf('answer'));
  expect(before).toContain('write');
  expect(before.at(-1)).toBe('sync');
});

testTraced('an answer to a question begins after the sync of its row', async () => {
  const directory = stallDirectory();
  const file = join(directory, 'trace');
  const stall = await serve(directory, [], { program: traced(file) });
  const { headers } = await addReader(stall, 'ann@example.org', 'paid-book');
  for (const id of ['paid-id', 'free-id']) {
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
    const answer = await stall.fetch('/api/agent/fetch', {
      ...init,
      body: JSON.stringify({ book_id: id, query: 'Why does the heron stand on one leg?' }),
    });
    expect(await answer.text()).toContain('event: done');
  }
  // Not to strace, which keeps a signal to itself.
  process.kill(Number(readFileSync(join(directory, 'data/serve.pid'), 'utf8')), 'SIGTERM');
  await stall.exited;
  const { out } = await run(['logs', '--json'], { cwd: directory });
  const rows = out
    .trim()
    .split('\n')
    .map((line) => String(JSON.parse(line).id));
  const told = await story(file, (text) => text.includes('text/event-stream'));
  const answers = told.filter(({ what }) => what === 'answer');
  expect(answers).toHaveLength(rows.length);
  for (const [n, row] of rows.entries()) {
    const written = told.findIndex(({ what, text }) => what === 'write' && text.includes(row));
    const synced = told.findIndex(({ what }, at) => what === 'sync' && at > written);
    expect([written >= 0, synced > written, (told[synced]?.at ?? 0) < (answers[n]?.at ?? 0)]).toEqual([
      true,
      true,
      true,
    ]);
  }
});
