// Reading pages: one that was shown before, the first showing of one, and what others notice of a large one's.
import { join } from 'node:path';
import type { RenderJob } from '../../src/reading/page-file.ts';
import { writeFiles, itemYaml, type Files } from '../helpers/harness.ts';
import { freePort } from './child.ts';
import { ms, type Row } from './figure.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { quantile, scratch, startStall, type StallProcess } from './stall-process.ts';

const COMMAND = 'bun run bench reading';
const CHAPTERS = 10;
const CHAPTER = 20_000;
const LARGE = 1024 * 1024;
const LARGE_FILES = 8;
const STARTS = 12;
const SECONDS = 10;
const PROBES_A_SECOND = 500;

/** Bounds in milliseconds, and of the page without its text, style and script in bytes. */
const BOUNDS = { shown: 5, first: 60, blocked: 10, weight: 60_000 };

type Measured = Omit<Row, 'ratio' | 'command'>;

export async function measureReading(): Promise<readonly Row[]> {
  const content = scratch('reading');
  writeFiles(content, makeBooks());
  const cold = await measureCold(content);
  const stall = await startStall(content, join(scratch('reading-data'), 'data'), freePort());
  const rows = [
    ...cold,
    await measureRenderer(),
    ...(await measureShown(stall)),
    ...(await measureOthers(stall)),
    await measureWeight(stall),
  ];
  await stall.stop();
  return rows.map((row) => ({ ...row, ratio: '', command: COMMAND }));
}

const PARAGRAPH =
  'The grey heron *stands* on one leg in the cold water, since a leg in the water loses **warmth**, and waits for the [fish](02.md) to come to it. ';
const SECTION = `## A heading of some words\n\n${PARAGRAPH.repeat(4)}\n\n${PARAGRAPH.repeat(3)}\n\n- one\n- two\n\n| bird | leg |\n|---|---|\n| heron | one |\n\n\`\`\`js\nconst legs = await count(heron); // one\nreturn { legs };\n\`\`\`\n\n`;

/** A book of 20 KB a chapter, and one of 1 MB a chapter. */
function makeBooks(): Files {
  const text = (n: number, size: number): string =>
    `# Chapter ${n}\n\n${SECTION.repeat(Math.ceil(size / SECTION.length)).slice(0, size)}\n`;
  const chapters = (book: string, count: number, size: number) =>
    Array.from({ length: count }, (_, n) => [`books/${book}/${10 + n}.md`, text(n, size)] as const);
  return {
    'books/small/item.yaml': itemYaml({ id: 'small', title: 'Small' }),
    'books/large/item.yaml': itemYaml({ id: 'large', title: 'Large' }),
    ...Object.fromEntries([
      ...chapters('small', CHAPTERS, CHAPTER),
      ...chapters('large', LARGE_FILES, LARGE),
    ]),
  };
}

async function timed(url: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  return performance.now() - startedAt;
}

/** The first page of a book after a start, whose Worker starts too, and the others after it. */
async function measureCold(content: string): Promise<readonly Measured[]> {
  const [first, later]: [number[], number[]] = [[], []];
  for (let start = 0; start < STARTS; start++) {
    const stall = await startStall(content, join(scratch('reading-cold'), 'data'), freePort());
    // Whatever a start still does is not the page's.
    await Bun.sleep(1000);
    await timed(`${stall.url}/livez`);
    const page = (n: number): Promise<number> => timed(`${stall.url}/books/small/read/${10 + n}.md`);
    first.push(await page(0));
    for (let n = 1; n < CHAPTERS; n++) later.push(await page(n));
    await stall.stop();
  }
  return [
    rowOf(
      `first page of a book after a start, ${CHAPTER / 1000} KB: its Worker starts, and reads the book's headings`,
      first,
      BOUNDS.first,
      1,
    ),
    rowOf('first showing of its other pages, one at a time', later, BOUNDS.first, 0.99),
  ];
}

/** A page in a Worker that has just started, as often as there are starts: the job alone, which is what the Worker does. */
async function measureRenderer(): Promise<Measured> {
  const [artefact, out] = [join(scratch('renderer'), 'files.json'), join(scratch('renderer-out'), 'page')];
  const record = JSON.stringify({ content: `# Chapter\n\n${SECTION.repeat(40).slice(0, CHAPTER)}\n` });
  await Bun.write(artefact, record);
  const text = { path: '1.md', artefact, start: 0, end: Buffer.byteLength(record) };
  const job: RenderJob = {
    task: 'page',
    ...{
      text,
      out,
      item: { kind: 'book', language: null, math: false, slug: 'x' },
      files: ['1.md'],
      texts: ['1.md'],
      asPlain: false,
    },
    pictures: { artefact, slices: {} },
  };
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const worker = new Worker(new URL('../../src/renderer.ts', import.meta.url).href);
    const next = () => new Promise<unknown>((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    await next();
    const startedAt = performance.now();
    worker.postMessage(job);
    const answer = await next();
    if (!Bun.deepEquals(answer, { result: true }))
      throw new Error(`The renderer answered ${JSON.stringify(answer)}`);
    times.push(performance.now() - startedAt);
    worker.terminate();
  }
  return rowOf(`a page of ${CHAPTER / 1000} KB in a Worker that has just started`, times, BOUNDS.first, 1);
}

function rowOf(figure: string, times: readonly number[], bound: number, share: number): Measured {
  const sorted = times.toSorted((a, b) => a - b);
  const worst = quantile(sorted, share);
  return {
    figure,
    bound: `${share === 1 ? 'max' : `p${share * 100}`} < ${bound} ms`,
    measured: `p50 ${ms(quantile(sorted, 0.5))}, p99 ${ms(quantile(sorted, 0.99))}, max ${ms(sorted.at(-1) ?? 0)} of ${sorted.length}`,
    isMet: worst < bound,
  };
}

async function measureShown({ url }: StallProcess): Promise<readonly Measured[]> {
  const path = '/books/small/read/10.md';
  await timed(url + path);
  const { page } = await runOpenLoop({
    port: Number(new URL(url).port),
    seconds: SECONDS,
    streams: [{ name: 'page', rate: 200, requests: [request(path)] }],
  });
  return [
    {
      figure: `a page of ${CHAPTER / 1000} KB that was shown before, 200 a second`,
      bound: `p99 < ${BOUNDS.shown} ms`,
      measured: describe(page),
      isMet: page.failed === 0 && quantile(page.sorted, 0.99) < BOUNDS.shown,
    },
  ];
}

/** The wait of others while pages of 1 MB are shown for the first time, and beside nothing. */
async function measureOthers({ url }: StallProcess): Promise<readonly Measured[]> {
  const listen = (until: Promise<unknown>) =>
    runOpenLoop(
      {
        port: Number(new URL(url).port),
        seconds: 60,
        streams: [{ name: 'livez', rate: PROBES_A_SECOND, requests: [request('/livez')] }],
      },
      { until },
    );
  const quiet = await listen(Bun.sleep(3000));
  const times: number[] = [];
  const busy = await listen(
    (async () => {
      await Bun.sleep(500);
      for (let n = 0; n < LARGE_FILES; n++) times.push(await timed(`${url}/books/large/read/${10 + n}.md`));
    })(),
  );
  return [
    {
      figure: '`/livez` beside nothing, 500 a second',
      bound: '',
      measured: describe(quiet.livez),
      isMet: null,
    },
    {
      figure: `\`/livez\` while ${LARGE_FILES} pages of 1 MB are shown for the first time, which took ${ms(Math.max(...times))} at most`,
      bound: `max < ${BOUNDS.blocked} ms`,
      measured: describe(busy.livez),
      isMet: (busy.livez.sorted.at(-1) ?? Infinity) < BOUNDS.blocked,
    },
  ];
}

/** The page around a text with its style, script and icon, as a browser fetches them. */
async function measureWeight({ url }: StallProcess): Promise<Measured> {
  const html = await (await fetch(`${url}/books/small/read/10.md`)).text();
  const text = /<div class="reading"[\s\S]*?<nav class="turn"/.exec(html)?.[0] ?? '';
  const parts = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
  const sizes = await Promise.all(
    parts.map(async (path) => (await (await fetch(url + path)).bytes()).length),
  );
  const weight =
    Buffer.byteLength(html) - Buffer.byteLength(text) + sizes.reduce((sum, size) => sum + size, 0);
  return {
    figure: 'a reading page without its text, with style, script and icon, not compressed',
    bound: `< ${BOUNDS.weight / 1000} KB`,
    measured: `${(weight / 1000).toFixed(1)} KB`,
    isMet: weight < BOUNDS.weight,
  };
}
