// `bun run build && bun test/bench/vectors.ts [PASSAGES]`: how long questions take in a book of 50,000 passages with vectors of
// 768 numbers, beside installs, and what others wait. The model's server is the oracle, which answers at once.
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { itemYaml, writeFiles } from '../helpers/harness.ts';
import { freePort } from './child.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { openOracle } from './oracle.ts';
import { generator } from './qa-random.ts';
import { office, scratch, startStallUnder } from './stall-process.ts';

const PASSAGES = Number(process.argv[2] ?? 50_000);
const CHAPTERS = 100;
const SECONDS = 60;
const WORDS = 3000;

const random = generator(7);
const word = (): string => `w${Math.floor(WORDS * random() ** 2)}`;
const words = (count: number): string => Array.from({ length: count }, word).join(' ');
const content = scratch('vectors-content');
writeFiles(content, {
  'books/large/item.yaml': itemYaml({ id: 'large', title: 'The large book', language: 'en' }),
  ...Object.fromEntries(
    Array.from({ length: CHAPTERS }, (_, chapter) => [
      `books/large/${chapter + 100}.md`,
      `# Chapter ${chapter}\n\n${Array.from({ length: PASSAGES / CHAPTERS }, (_, n) => `## Part ${n} ${word()}\n\n${words(30)}.\n`).join('\n')}`,
    ]),
  ),
  'books/small/item.yaml': itemYaml({ id: 'small', title: 'The small book' }),
  'books/small/1.md': `# One\n\n${words(2000)}.\n`,
});
const oracle = openOracle();
const port = freePort();
const data = scratch('vectors-data');
const MODEL = [`BOOKSTALL_EMBEDDINGS=${oracle.url}`, 'BOOKSTALL_EMBEDDINGS_MODEL=oracle'];
const first = await startStallUnder([], content, data, port);
await office(data, 'account', 'add', 'bench@example.org');
const { key = '' } = await office(data, 'key', 'create', 'bench@example.org');
await first.stop();
const headers = { Authorization: `Bearer ${key}` };
const ask = (query: string): string => request('/api/agent/fetch', headers, { book_id: 'large', query });
const livez = { name: 'livez', rate: 50, requests: [request('/livez')] } as const;
const installs = { name: 'installs', rate: 20, requests: [request('/api/install/small', headers)] } as const;
const questions = {
  name: 'questions',
  rate: 3,
  requests: Array.from({ length: 1000 }, () => ask(`Why does ${words(5)}?`)),
} as const;

await measure([], 'by words');
await measure(MODEL, 'by meaning', async () => {
  const began = performance.now();
  await print('while passages are embedded');
  while (!isEmbedded()) await Bun.sleep(1000);
  console.log(`embedded after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  // The server notices, and the first question reads the vectors.
  await Bun.sleep(3000);
  await runOpenLoop({ port, seconds: 5, streams: [questions] });
});
// The oracle's server would keep the process.
process.exit();

async function measure(variables: readonly string[], name: string, before?: () => Promise<void>) {
  const stall = await startStallUnder(['env', ...variables], content, data, port);
  // The first question reads the book's index.
  await runOpenLoop({ port, seconds: 5, streams: [questions] });
  await before?.();
  await print(name);
  console.log(`memory ${name}: ${Math.round(stall.rss() / 2 ** 20)} MiB`);
  await stall.stop();
}

async function print(name: string): Promise<void> {
  const all = await runOpenLoop({ port, seconds: SECONDS, streams: [livez, installs, questions] });
  for (const [stream, latencies] of Object.entries(all))
    console.log(`${name}, ${stream}: ${describe(latencies)}`);
}

/** Whether the large book, whose file is the largest, has its vectors. */
function isEmbedded(): boolean {
  const files = [...new Bun.Glob('*.vectors').scanSync({ cwd: join(data, 'vectors'), absolute: true })];
  const [largest] = files.toSorted((a, b) => Bun.file(b).size - Bun.file(a).size);
  if (largest === undefined) return false;
  const db = new Database(largest, { readonly: true });
  db.run('PRAGMA busy_timeout = 10000');
  const { made } = db.query<{ made: number }, []>('SELECT count(*) AS made FROM nearness').get()!;
  db.close();
  return made > 0;
}
