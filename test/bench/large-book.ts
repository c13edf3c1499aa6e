// bun test/bench/large-book.ts: what one address costs the others at the bounds of a book. For each way the longest wait
// for /livez, asked every 5 ms by another process, and what it adds to the server’s memory.
import { mkdirSync } from 'node:fs';
import { zipSync } from 'fflate';
import { acceptInvitation } from '../helpers/accept-invitation.ts';
import { itemYaml, writeFiles } from '../helpers/harness.ts';
import { freePort, own } from './child.ts';
import { office, scratch, startStall, type StallProcess } from './stall-process.ts';

const MIB = 1024 ** 2;
const WORDS =
  'the grey heron stands on one leg in cold water because feathers keep its body warm while small fish hide below reeds near an old wooden bridge where children watch every evening until dark'.split(
    ' ',
  );

/** Prose that repeats 31 words, so that nearly every passage matches. */
function proseOf(chapter: number, bytes: number): string {
  let text = `# Chapter ${chapter}\n\n`;
  for (let n = 0; text.length < bytes - 300; n++)
    text += `${WORDS.map((_, at) => WORDS[(at * 7 + n) % WORDS.length]).join(' ')}.${n % 5 === 4 ? '\n\n' : ' '}`;
  return text;
}

const bookOf = (slug: string, chapters: number, bytes: number) => ({
  [`books/${slug}/item.yaml`]: itemYaml({ id: slug, title: `The ${slug} book` }),
  ...Object.fromEntries(
    Array.from({ length: chapters }, (_, n) => [
      `books/${slug}/${String(n + 1).padStart(2, '0')}.md`,
      proseOf(n, bytes),
    ]),
  ),
});

/** Formulas whose macros double and whose braces nest, one as long as may be, and 3,000 short ones a chapter. */
const FORMULAS = [
  `$$${'\\frac{1}{'.repeat(200)}x${'}'.repeat(200)}$$`,
  '$\\def\\a{\\a\\a}\\a$',
  `$$\\def\\a#1{${'#1'.repeat(100)}}\\a{\\a{\\a{xxxx}}}$$`,
  `$$${'x+'.repeat(100_000)}1$$`,
].join('\n\n');
const formulas = {
  'books/formulas/item.yaml': `${itemYaml({ id: 'formulas', title: 'The book of formulas' })}math: true\n`,
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [
      `books/formulas/${n + 10}.md`,
      `# Chapter ${n}\n\n${FORMULAS}\n\n${`$x_{${n}}^2$ `.repeat(3000)}\n`,
    ]),
  ),
};

/** A Word file of so many paragraphs, or with so many elements in each other. */
function wordFile(body: string): Uint8Array<ArrayBuffer> {
  const office = 'http://schemas.openxmlformats.org/';
  const part = (name: string, rest: string) =>
    new TextEncoder().encode(`<?xml version="1.0"?><${name} xmlns="${office}package/2006/${rest}`);
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return zipSync({
    '[Content_Types].xml': part(
      'Types',
      `content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
    ),
    '_rels/.rels': part(
      'Relationships',
      `relationships"><Relationship Id="r1" Type="${office}officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/document.xml': new TextEncoder().encode(
      `<?xml version="1.0"?><w:document xmlns:w="${office}wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
  });
}

const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

if (process.argv[2] === 'probe') await probe(process.argv[3] ?? '');
const content = scratch('content');
mkdirSync(content, { recursive: true });
writeFiles(content, { ...bookOf('wide', 8, 4 * MIB), ...bookOf('middle', 2, 4 * MIB), ...formulas });
const data = scratch('data');
let stall = await startStall(content, data, freePort());
await office(data, 'account', 'add', 'ann@example.org');
const { key } = await office(data, 'key', 'create', 'ann@example.org');
await office(data, 'account', 'add', 'owner@example.org', '--owner');
const { url: link = '' } = await office(data, 'account', 'link', 'owner@example.org');

const ask = (query: string, book = 'wide') =>
  fetch(`${stall.url}/api/agent/fetch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: book, query }),
  });
const search = (words: number) =>
  fetch(`${stall.url}/books/wide/search?q=${WORDS.slice(0, words).join('+')}`);
const epub = (slug: string) => fetch(`${stall.url}/api/books/${slug}/epub`);
const times = (count: number, send: (n: number) => Promise<Response>) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      send(n).then(async (answer) => {
        const { byteLength } = await answer.arrayBuffer();
        if (!answer.ok || byteLength < 1_000)
          throw new Error(`${answer.url} answered ${answer.status}, ${byteLength} bytes`);
      }),
    ),
  );

await measure('12 searches at once, the first after a start', () => times(12, () => search(3)));
await measure('a search for 3 words', () => times(1, () => search(3)));
await measure('a search for 20 words', () => times(1, () => search(20)));
await measure('12 searches for 20 words', () => times(12, () => search(20)));
await restart();
await measure('a question, the first after a start', () =>
  times(1, () => ask('Where does the heron stand?')),
);
await measure('4 questions at once', () => times(4, (n) => ask(`${WORDS.slice(n, n + 8).join(' ')}?`)));
await measure('an EPUB of 8 MiB', () => times(1, () => epub('middle')));
await measure('an EPUB of 32 MiB', () => times(1, () => epub('wide')));
await measure('40 chapters of 4 MiB over MCP', () => times(40, readChapter));
await restart();
await measure('20 chapters of hostile formulas', () =>
  times(20, (n) => fetch(`${stall.url}/books/formulas/read/${n + 10}.md`)),
);
await measure('a print page of 8 MiB', () => times(1, () => fetch(`${stall.url}/books/middle/print`)));
await measure('the same again', () => times(1, () => fetch(`${stall.url}/books/middle/print`)));
await restart();
await measure('4 pages of a text of 4 MiB', () =>
  times(4, (n) => fetch(`${stall.url}/books/wide/read/0${n + 1}.md?part=2`)),
);
const cookie = await acceptInvitation(stall.url, link);
const rows = (count: number, row: (n: number) => string) =>
  `Name,Mail,Thing\n${Array.from({ length: count }, (_, n) => row(n)).join('')}`;
for (const [name, csv] of [
  ['40,000 products', rows(40_000, (n) => `a,a@b.cd,p${n}\n`)],
  ['989 KB of empty rows', rows(1, () => '\n'.repeat(989_000))],
  ['989 KB of rows of commas', rows(1, () => ',\n'.repeat(494_000))],
  ['989 KB of rows of commas and blanks', rows(1, () => ', ,\n'.repeat(247_000))],
  ['a header of 989 KB', 'a,'.repeat(494_000)],
] as const)
  await measure(`an import of ${name}`, () => importList(csv));
for (const [name, body] of [
  ['60,000 paragraphs', paragraph('words of a paragraph').repeat(60_000)],
  ['300,000 paragraphs', paragraph('x').repeat(300_000)],
  ['50,000 elements in each other', '<w:sdt>'.repeat(50_000) + '</w:sdt>'.repeat(50_000)],
] as const)
  await measure(`a Word file of ${name}`, () => addManuscript(wordFile(body)));
await stall.stop();
process.exit(0);

function readChapter(n: number): Promise<Response> {
  const given = { item: 'wide', path: `0${(n % 8) + 1}.md`, offset: 2 * MIB, limit: 40_000 };
  const params = { name: 'read_chapter', arguments: given };
  return fetch(`${stall.url}/mcp`, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}

async function importList(csv: string): Promise<void> {
  const body = new FormData();
  body.set('column1', 'email');
  body.set('column2', 'product');
  body.set('file', new File([csv], 'sales.csv'));
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
  const answer = await fetch(`${stall.url}/admin/orders/import`, { method: 'POST', headers, body });
  const bytes = await answer.arrayBuffer();
  console.log(`  ${answer.status}, ${(bytes.byteLength / MIB).toFixed(1)} MB`);
}

async function addManuscript(file: Uint8Array<ArrayBuffer>): Promise<void> {
  const body = new FormData();
  body.set('slug', 'word-file');
  body.set('file', new File([file], 'manuscript.docx'));
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
  const answer = await fetch(`${stall.url}/admin/add`, { method: 'POST', headers, body });
  const [, sentence = ''] = /role="alert"[^>]*>([^<]*)/.exec(await answer.text()) ?? [];
  console.log(`  ${answer.status} ${sentence}`);
}

async function restart(): Promise<void> {
  await stall.stop();
  stall = await startStall(content, data, freePort());
}

/** Prints the longest wait and the added memory of one way. */
async function measure(name: string, act: () => Promise<unknown>): Promise<void> {
  const prober = own(
    Bun.spawn([process.execPath, import.meta.path, 'probe', stall.url], { stdin: 'pipe', stdout: 'pipe' }),
  );
  await Bun.sleep(500);
  const before = stall.rss();
  const peak = watchMemory(stall);
  const startedAt = performance.now();
  await act();
  const took = performance.now() - startedAt;
  await Bun.sleep(300);
  const added = peak() - before;
  void prober.stdin.end();
  const waited = Number(await new Response(prober.stdout).text());
  console.log(
    `${name}: others wait ${waited.toFixed(0)} ms, + ${(added / MIB).toFixed(0)} MB, ${took.toFixed(0)} ms`,
  );
}

function watchMemory(watched: StallProcess): () => number {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, watched.rss())), 10);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Asks for /livez every 5 ms until its input ends; prints the longest wait in milliseconds. */
async function probe(url: string): Promise<never> {
  let isRunning = true;
  process.stdin.on('end', () => (isRunning = false)).resume();
  let longest = 0;
  while (isRunning) {
    const startedAt = performance.now();
    await (await fetch(`${url}/livez`)).arrayBuffer();
    longest = Math.max(longest, performance.now() - startedAt);
    await Bun.sleep(5);
  }
  console.log(longest);
  process.exit(0);
}
