// E-books: the first EPUB of a large book, what it costs in memory, and what others notice of it; the second one; lists of OPDS.
import { join } from 'node:path';
import { type Files, itemYaml, writeFiles } from '../helpers/harness.ts';
import { freePort } from './child.ts';
import { mb, ms, type Row } from './figure.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { quantile, scratch, startStall } from './stall-process.ts';

const COMMAND = 'bun run bench:epub';
const MB = 1024 * 1024;
const CHAPTERS = 100;
const CHAPTER = MB / 10;
const PROBES_A_SECOND = 500;

/** Bounds in milliseconds and in bytes of memory. */
const BOUNDS = { made: 5000, rss: 150 * MB, others: 20 };

const PARAGRAPH =
  'The grey heron *stands* on one leg in the cold water, since a leg in the water loses **warmth**, and waits for the [fish](02.md) to come to it. ';
const SECTION = `## A heading of some words\n\n${PARAGRAPH.repeat(4)}\n\n${PARAGRAPH.repeat(3)}\n\n- one\n- two\n\n| bird | leg |\n|---|---|\n| heron | one |\n\n\`\`\`js\nconst legs = await count(heron); // one\nreturn { legs };\n\`\`\`\n\n`;

export async function measureEpub(): Promise<readonly Row[]> {
  const content = scratch('epub');
  writeFiles(content, makeBook());
  const stall = await startStall(content, join(scratch('epub-data'), 'data'), freePort());
  // Whatever a start still does is not the book's.
  await Bun.sleep(2000);
  const before = stall.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, stall.rss())), 20);
  let took = Number.NaN;
  let size = 0;
  const make = async (): Promise<void> => {
    await Bun.sleep(500);
    const startedAt = performance.now();
    const answer = await fetch(`${stall.url}/api/books/large/epub`);
    size = (await answer.bytes()).length;
    took = performance.now() - startedAt;
    if (answer.status !== 200) throw new Error(`The EPUB was answered with ${answer.status}`);
  };
  const listen = (until: Promise<unknown>) =>
    runOpenLoop(
      {
        port: Number(new URL(stall.url).port),
        seconds: 60,
        streams: [{ name: 'livez', rate: PROBES_A_SECOND, requests: [request('/livez')] }],
      },
      { until },
    );
  const quiet = await listen(Bun.sleep(3000));
  const { livez } = await listen(make());
  clearInterval(watch);
  const startedAt = performance.now();
  await (await fetch(`${stall.url}/api/books/large/epub`)).bytes();
  const again = performance.now() - startedAt;
  await stall.stop();
  const others = quantile(livez.sorted, 0.99);
  const text = `${(CHAPTERS * CHAPTER) / MB} MB in ${CHAPTERS} chapters`;
  return [
    row(
      `the first EPUB of a book of ${text}`,
      `< ${ms(BOUNDS.made)}`,
      `${ms(took)}, ${mb(size)}`,
      took < BOUNDS.made,
    ),
    row(
      'RSS while it is made, more than before',
      `< ${mb(BOUNDS.rss)}`,
      mb(most - before),
      most - before < BOUNDS.rss,
    ),
    row('`/livez` beside nothing, 500 a second', '', describe(quiet.livez), null),
    row(
      '`/livez` while it is made, 500 a second',
      `p99 < ${BOUNDS.others} ms`,
      describe(livez),
      others < BOUNDS.others,
    ),
    row('the same EPUB again', '', ms(again), null),
  ];
}

function row(figure: string, bound: string, measured: string, isMet: boolean | null): Row {
  return { figure, bound, measured, ratio: '', isMet, command: COMMAND };
}

function makeBook(): Files {
  const text = SECTION.repeat(Math.ceil(CHAPTER / SECTION.length)).slice(0, CHAPTER);
  const chapters = Array.from(
    { length: CHAPTERS },
    (_, n) => [`books/large/${100 + n}.md`, `# Chapter ${n}\n\n${text}\n`] as const,
  );
  return { 'books/large/item.yaml': itemYaml({ id: 'large' }), ...Object.fromEntries(chapters) };
}
