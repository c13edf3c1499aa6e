// The cost of notes: a page with 500 of them, saving beside installs, and 5,000 long ones after a new
// edition.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './child.ts';
import { ms, type Row } from './figure.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { alternate, median } from './rounds.ts';
import { word } from './shop.ts';
import { office, quantile, scratch, startStall } from './stall-process.ts';

const COMMAND = 'bun run bench notes';
const HANDBOOK = join(import.meta.dir, '../../content/books/handbook');
/** The chapter that is marked, and its length: the beginning of the Handbook. */
const [CHAPTER, LENGTH] = ['marked.md', 40_000];
const INSTALLS = 400;
/** The longest words that are kept, and the most notes of a book. */
const [LONGEST, MOST] = [2_000, 5_000];
/** The long book: chapters, and the words of each, about 1 MB. */
const [CHAPTERS, WORDS] = [8, 170_000];

/** Notes on the Handbook, and on a book of 8 MB of which a new edition has no word in its place. */
export async function measureNotes(): Promise<readonly Row[]> {
  const content = scratch('notes-content');
  cpSync(HANDBOOK, join(content, 'books/handbook'), { recursive: true });
  const text = readdirSync(HANDBOOK)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(HANDBOOK, name), 'utf8'))
    .join('\n')
    .slice(0, LENGTH);
  writeFileSync(join(content, 'books/handbook', CHAPTER), text);
  mkdirSync(join(content, 'skills/heron'), { recursive: true });
  const yaml = 'title: A title\ndescription: A description\npublisher: A publisher\nunitAmountCents: 0\n';
  writeFileSync(join(content, 'skills/heron/item.yaml'), yaml);
  writeFileSync(
    join(content, 'skills/heron/SKILL.md'),
    '---\nname: heron\ndescription: One.\n---\n\nWade.\n',
  );
  mkdirSync(join(content, 'books/long'), { recursive: true });
  writeFileSync(join(content, 'books/long/item.yaml'), `id: long\n${yaml}`);
  const texts = writeLong(content, (n) => word(2 + (n % 997)));
  const stall = await startStall(content, scratch('notes-data'), freePort());
  try {
    const keys: string[] = [];
    for (const name of ['none', 'some', 'writer', 'hoarder']) {
      await office(stall.data, 'account', 'add', `${name}@example.org`);
      keys.push((await office(stall.data, 'key', 'create', `${name}@example.org`))['key'] ?? '');
    }
    const [none = '', some = '', writer = '', hoarder = ''] = keys;
    return [
      await measurePage(stall.url, text, none, some),
      await measureSaving(stall.url, text, writer),
      ...(await measureEdition(stall, content, texts, hoarder)),
    ];
  } finally {
    await stall.stop();
  }
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

async function keep(url: string, key: string, book: string, place: object): Promise<void> {
  const { status } = await fetch(`${url}/api/books/${book}/notes`, {
    method: 'POST',
    headers: { ...bearer(key), 'Content-Type': 'application/json' },
    body: JSON.stringify(place),
  });
  if (status !== 201) throw new Error(`A note answered ${status}`);
}

/** The places of a text's words, as many as wanted. */
function placesIn(text: string, count: number): readonly { readonly start: number; readonly end: number }[] {
  const all = [...text.matchAll(/[a-z]{3,} [a-z]+ [a-z]{3,}/g)];
  return all
    .filter((_, n) => n % Math.floor(all.length / count) === 0)
    .slice(0, count)
    .map(({ 0: words, index }) => ({ start: index, end: index + words.length }));
}

async function measurePage(url: string, text: string, none: string, some: string): Promise<Row> {
  const places = placesIn(text, 500);
  for (const place of places) await keep(url, some, 'bookstall-handbook', { path: CHAPTER, ...place });
  const read = (key: string) => async () => {
    const times: number[] = [];
    for (let n = 0; n < 30; n++) {
      const began = performance.now();
      await (await fetch(`${url}/books/handbook/read/${CHAPTER}`, { headers: bearer(key) })).arrayBuffer();
      times.push(performance.now() - began);
    }
    return median(times);
  };
  const took = await alternate(9, { without: read(none), with: read(some) });
  const more = took.with - took.without;
  return {
    figure: `a chapter of ${Math.round(text.length / 1000)} KB with ${places.length} highlights, against the same without`,
    bound: '< 5 ms more',
    measured: `${ms(took.with)} against ${ms(took.without)}`,
    ratio: `+${ms(more)}`,
    isMet: more < 5 && places.length === 500,
    command: COMMAND,
  };
}

async function measureSaving(url: string, text: string, key: string): Promise<Row> {
  const requests = placesIn(text, 300).map((place) =>
    request('/api/books/bookstall-handbook/notes', bearer(key), {
      path: CHAPTER,
      ...place,
      text: 'What I think of it.',
    }),
  );
  const { notes, installs } = await runOpenLoop({
    port: Number(new URL(url).port),
    seconds: 15,
    streams: [
      { name: 'installs', rate: INSTALLS, requests: [request('/api/install/heron')] },
      { name: 'notes', rate: 20, requests, expected: 201 },
    ],
  });
  const p99 = quantile(notes.sorted, 0.99);
  return {
    figure: `20 notes a second on the Handbook beside ${INSTALLS} installs a second, p99`,
    bound: '< 30 ms',
    measured: `${describe(notes)}; installs ${describe(installs)}`,
    ratio: '',
    isMet: p99 < 30 && notes.failed + installs.failed === 0,
    command: COMMAND,
  };
}

/** Writes the long book, of the words that `wordAt` gives; its texts by path. */
function writeLong(content: string, wordAt: (n: number) => string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (let chapter = 0; chapter < CHAPTERS; chapter++) {
    const words = Array.from({ length: WORDS }, (_, n) => wordAt(chapter * WORDS + n * (chapter + 1)));
    const path = `0${chapter + 1}.md`;
    texts.set(path, `# Chapter ${chapter}\n\n${words.join(' ')}\n`);
    writeFileSync(join(content, 'books/long', path), texts.get(path)!);
  }
  return texts;
}

async function measureEdition(
  { url, data }: { readonly url: string; readonly data: string },
  content: string,
  texts: ReadonlyMap<string, string>,
  key: string,
): Promise<readonly Row[]> {
  const places = Array.from({ length: MOST }, (_, n) => {
    const path = [...texts.keys()][n % texts.size]!;
    const start = 20 + ((n * 7919) % (texts.get(path)!.length - LONGEST - 40));
    return { path, start, end: start + LONGEST };
  });
  const waiting = places.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const place of waiting) await keep(url, key, 'long', place);
    }),
  );
  const notes = `${url}/api/books/long/notes`;
  const look = async () => {
    const began = performance.now();
    const answer = (await (await fetch(notes, { headers: bearer(key) })).json()) as {
      notes: { state: string }[];
    };
    return {
      took: performance.now() - began,
      lost: answer.notes.filter(({ state }) => state === 'lost').length,
    };
  };
  const known = await look();
  // Each word has another before it: nothing stands as it stood.
  writeLong(content, (n) => `${word(3 + (n % 991))}${n % 7}`);
  await office(data, 'reindex');
  // Its archives and its EPUB are made beside.
  await Bun.sleep(8000);
  const first = Promise.withResolvers<unknown>();
  const listening = runOpenLoop(
    {
      port: Number(new URL(url).port),
      seconds: 600,
      streams: [{ name: 'livez', rate: 200, requests: [request('/livez')] }],
    },
    { until: first.promise },
  );
  await Bun.sleep(500);
  const looked = await look();
  first.resolve(null);
  const { livez } = await listening;
  return [
    {
      figure: `the first look at ${MOST} notes of ${LONGEST} characters after a new edition of 8 MB, of which ${looked.lost} are lost`,
      bound: '',
      measured: `${ms(looked.took)}; before it, ${ms(known.took)}`,
      ratio: '',
      isMet: null,
      command: COMMAND,
    },
    {
      figure: '`/livez`, 200 a second, meanwhile',
      bound: 'p99 < 100 ms',
      measured: describe(livez),
      ratio: '',
      isMet: livez.failed === 0 && quantile(livez.sorted, 0.99) < 100,
      command: COMMAND,
    },
  ];
}
