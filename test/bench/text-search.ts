// Searches the texts of 20 and of 200 books of 100,000 words: how long one takes, what others wait beside three a second, and
// what memory it needs. Bounds: contract "Finding", §2.
import { writeAskLibrary } from './ask-library.ts';
import { quantile, scratch, startStall } from './stall-process.ts';

const PARAGRAPHS = 37;
const SEARCHES = 100;
const BESIDE = 20_000;

const timeOf = async (url: string): Promise<number> => {
  const begun = performance.now();
  const answer = await fetch(url);
  await answer.bytes();
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`);
  return performance.now() - begun;
};

for (const [books, p50, p99] of [
  [20, 60, null],
  [200, 300, 600],
] as const) {
  const content = scratch('content');
  const library = writeAskLibrary(content, books, PARAGRAPHS);
  const stall = await startStall(content, scratch('data'), 4700 + books);
  // Words that stand together in a book: one common, three or four telling ones, as people type them.
  const queries = Array.from({ length: SEARCHES }, (_, n) => {
    const words = library[n % library.length]!.questions[n % 10]!.replace(/^What did |\?$/g, '').split(' ');
    return `${stall.url}/api/search?q=${encodeURIComponent(words.slice(0, 3 + (n % 5)).join(' '))}`;
  });
  const atRest = stall.rss();
  const first = await timeOf(queries[0]!);
  const times: number[] = [];
  for (const query of queries) times.push(await timeOf(query));
  const waits: number[] = [];
  const end = performance.now() + BESIDE;
  const searches: Promise<number>[] = [];
  const timer = setInterval(() => searches.push(timeOf(queries[searches.length % SEARCHES]!)), 333);
  while (performance.now() < end) {
    waits.push(await timeOf(`${stall.url}/livez`));
    await Bun.sleep(5);
  }
  clearInterval(timer);
  const beside = await Promise.all(searches);
  console.log(
    `${books} books: first ${first.toFixed(0)} ms, p50 ${quantile(
      times.toSorted((a, b) => a - b),
      0.5,
    ).toFixed(0)} ms (bound ${p50}), p99 ${quantile(
      times.toSorted((a, b) => a - b),
      0.99,
    ).toFixed(0)} ms (bound ${p99 ?? 'none'}); beside three a second: searches p50 ${quantile(
      beside.toSorted((a, b) => a - b),
      0.5,
    ).toFixed(0)} ms, /livez p99 ${quantile(
      waits.toSorted((a, b) => a - b),
      0.99,
    ).toFixed(
      1,
    )} ms (bound 30), max ${Math.max(...waits).toFixed(0)} ms; memory + ${((stall.peakRss() - atRest) / 2 ** 20).toFixed(0)} MB (bound 100)`,
  );
  await stall.stop();
}
