// `bun run bench:ask`: how soon the first event of an answer comes over the API of a library of 12 million words, and what
// an index costs beside a bare FTS5 insert of the same passages.
import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildIndex, type Chapter } from '../../src/asking/search/build.sql.ts';
import { splitPassages } from '../../src/asking/split.rule.ts';
import { type AskedBook, writeAskLibrary } from './ask-library.ts';
import { office, quantile, scratch, startStall } from './stall-process.ts';

const PORT = 7462;
const ROUNDS = 10;
const REPEATS = 9;

const content = scratch('ask-content');
console.error('Writing 300 books, 12 million words …');
const books = writeAskLibrary(content);
const stall = await startStall(content, scratch('ask-data'), PORT);
try {
  await office(stall.data, 'account', 'add', 'bench@example.org');
  const { key = '' } = await office(stall.data, 'key', 'create', 'bench@example.org');
  const first = await round(key, (book) => book.questions[0]!);
  const short: number[] = [];
  for (let n = 1; n < ROUNDS; n++) short.push(...(await round(key, (book) => book.questions[n]!)));
  const long = await round(key, ({ long }) => long);
  print('first question to each book', first);
  print('ordinary questions', short);
  print('8,000-character questions', long);
  console.log(`| RSS | ${Math.round(stall.rss() / 2 ** 20)} MiB | | |`);
} finally {
  await stall.stop();
}
await measureBuild();

/** Asks every book once, one after the other; milliseconds to the first event of each answer, ascending. */
async function round(key: string, question: (book: AskedBook) => string): Promise<number[]> {
  const latencies: number[] = [];
  for (const book of books) latencies.push(await timeFirstEvent(key, book.id, question(book)));
  return latencies.sort((a, b) => a - b);
}

async function timeFirstEvent(key: string, id: string, query: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${stall.url}/api/agent/fetch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: id, query }),
  });
  let took = Number.NaN;
  let text = '';
  for await (const bytes of response.body!) {
    if (text === '') took = performance.now() - startedAt;
    text += Buffer.from(bytes).toString();
  }
  if (!text.includes('event: done')) throw new Error(`${id} answered ${response.status}: ${text}`);
  return took;
}

function print(name: string, latencies: readonly number[]): void {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): string => `${quantile(sorted, share).toFixed(1)} ms`;
  console.log(`| ${name} (${sorted.length}) | p50 ${at(0.5)} | p99 ${at(0.99)} | most ${at(1)} |`);
}

/** CPU time of building ten books' indexes, against inserting the same passages into an FTS5 table; the medians. */
async function measureBuild(): Promise<void> {
  const chapters = await Promise.all(
    books.slice(0, 10).flatMap(({ id }) =>
      Array.from({ length: 40 }, async (_, chapter): Promise<Chapter> => {
        const path = `${chapter}.md`;
        return { path, title: null, content: await Bun.file(join(content, 'books', id, path)).text() };
      }),
    ),
  );
  const passages = chapters.flatMap(({ path, content }) =>
    splitPassages(content, path).map(({ plain }) => plain),
  );
  const file = join(content, 'index');
  const ours = median(() => void buildIndex(file, { language: 'en', chapters }), file);
  const bare = median(() => insertBare(file, passages), file);
  console.log(
    `| index of 400,000 words | ${ours.toFixed(0)} ms | bare FTS5 insert ${bare.toFixed(0)} ms | ${(ours / bare).toFixed(2)} x |`,
  );
}

function insertBare(file: string, passages: readonly string[]): void {
  const db = new Database(file);
  db.run('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;');
  db.run(`CREATE VIRTUAL TABLE bare USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')`);
  const add = db.prepare('INSERT INTO bare(rowid, text) VALUES (?, ?)');
  db.transaction(() => {
    for (const [i, text] of passages.entries()) add.run(i + 1, text);
    db.run(`INSERT INTO bare(bare) VALUES ('optimize')`);
  })();
  db.close();
}

function median(work: () => void, file: string): number {
  const times = Array.from({ length: REPEATS }, () => {
    rmSync(file, { force: true });
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!;
}
