import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'bun:test';
import {
  makeBooks,
  type Node,
  openReader,
  pointerTo,
  resolvePointer,
  saysOf,
  walkPlaces,
} from './koreader.ts';
import { itemYaml, openStall, writeFiles } from '../helpers/harness.ts';
import { createRandom } from '../bench/random.ts';

/** `bun run bench:places` sets more, in twenty books. */
const PLACES = Number(Bun.env['PLACES'] ?? 280);

/** Pointers that crengine 05b2098f wrote for pages of 600 × 800 of these books, with the first words there. */
const recorded = (await Bun.file(
  join(import.meta.dir, '../fixtures/koreader/pointers.json'),
).json()) as readonly (readonly [slug: string, pointer: string, words: string])[];

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, n) => `Paragraph number ${from + n} of the marsh.\n\n`).join('');

const made = makeBooks(PLACES > 1000 ? 20 : 7);
const reader = await openReader({
  ...made,
  'books/changing/item.yaml': itemYaml({
    id: 'changing-id',
    title: 'Changing',
    version: '1',
    unitAmountCents: 900,
  }),
  'books/sold/item.yaml': itemYaml({ id: 'sold-id', title: 'Sold', unitAmountCents: 900 }),
  'books/sold/01.md': '# Sold\n\nSold.\n',
  'books/long/item.yaml': itemYaml({ id: 'long-id', title: 'Long' }),
  'books/long/01.md': `# Long\n\n${numbered(0, 40_000)}`,
  'books/changing/01.md': `# One\n\n${numbered(0, 50)}`,
  'books/changing/02.md': `# Two\n\n${numbered(50, 100)}`,
});
const books = reader.slugs.filter((slug) => slug.startsWith('book-'));

describe('a place in a book', () => {
  test('comes to KOReader and back at the same paragraph, in seven scripts and every kind of block', async () => {
    const wrong = await walkPlaces(reader, books, Math.ceil(PLACES / books.length));
    expect(wrong.slice(0, 20)).toEqual([]);
  });

  test('is found by the pointers that crengine writes, of texts, pictures and elements', async () => {
    const random = createRandom(7);
    const wrong: object[] = [];
    const epubs = await Promise.all(books.map(reader.download));
    for (let n = 0; n < 200; n++) {
      const slug = books[n % books.length]!;
      const epub = epubs[n % books.length]!;
      const fragment = 3 + Math.floor(random() * 4);
      const nodes = all(epub.spine[fragment - 1]!.getElementsByTagName('body')[0]!).slice(1);
      const node = nodes[Math.floor(random() * nodes.length)]!;
      const pointer = `${pointerTo(node, fragment, n % 2 === 0)}.${node.nodeType === 3 ? Math.floor(random() * 3) : 0}`;
      expect(resolvePointer(epub, pointer) === node).toBe(true);
      await reader.push(epub.document, pointer);
      const back = await reader.goOn(slug);
      const path = `0${fragment - 2}.md`;
      const block = (await reader.blocks(slug, path))[Math.floor(back.block)]!;
      if (back.path !== path || !saysOf(block).includes(saysOf(node)) || saysOf(top(node)) !== saysOf(block))
        wrong.push({ slug, pointer, back });
    }
    expect(wrong).toEqual([]);
  });

  test('is found by pointers that crengine itself wrote, at the tops of its pages', async () => {
    const epubs = new Map(
      await Promise.all(books.map(async (slug) => [slug, await reader.download(slug)] as const)),
    );
    const wrong: object[] = [];
    for (const [slug, pointer, words] of recorded) {
      await reader.push(epubs.get(slug)!.document, pointer);
      const { path = '', block } = await reader.goOn(slug);
      const found = (await reader.blocks(slug, path))[Math.floor(block)]!;
      if (!saysOf(found).normalize('NFKC').includes(words)) wrong.push({ slug, pointer, path, block });
    }
    expect(recorded.length).toBe(200);
    expect(wrong).toEqual([]);
  });

  test('that leads nowhere in a known e-book, or into one that is not ours, is kept as it came and moves nothing', async () => {
    const [slug = ''] = books;
    const { document } = await reader.download(slug);
    await reader.leave(slug, '02.md', 5);
    for (const pointer of ['/body/DocFragment[99]/body/p[3].0', '/FictionBook/body/p', '12', '/', '/body']) {
      await reader.push(document, pointer);
      expect((await reader.pull(document))['progress']).toBe(pointer);
      expect(await reader.goOn(slug)).toEqual({ path: '02.md', query: undefined, block: 5 });
    }
    await reader.push('0123456789abcdef0123456789abcdef', '/body/DocFragment[3]/body/p[1].0');
    await reader.leave(slug, '03.md', 5);
    expect((await reader.pull('0123456789abcdef0123456789abcdef'))['progress']).toBe(
      '/body/DocFragment[3]/body/p[1].0',
    );
  });

  test.each([
    ['/body/DocFragment[1]/body/div/img.0', '01.md', 0],
    ['/body/DocFragment[2].0', '01.md', 0],
    ['/body/DocFragment[4]', '02.md', 0],
    ['/body[1]/DocFragment[4]/body[1].0', '02.md', 0],
    ['/body/DocFragment[4]/body/p[7777]/text().0', '02.md', 0],
    ['/body/DocFragment[4]/head/title', '02.md', 0],
  ])('of the pointer %p is %p', async (pointer, path, block) => {
    const [slug = ''] = books;
    const { document } = await reader.download(slug);
    await reader.push(document, pointer);
    expect(await reader.goOn(slug)).toMatchObject({ path, block });
  });

  test('puts its book at the top of the library, though another was read here before', async () => {
    const [one, other] = ['sold', 'changing'];
    await reader.leave(one, '01.md', 0);
    const library = async () => (await reader.visitor.open('/dashboard')).html;
    expect(await library()).toContain(`class="continue"><a href="/books/${one}/read"`);
    const { document } = await reader.download(other);
    await reader.push(document, '/body/DocFragment[4]/body/p[2].0');
    expect(await library()).toContain(`class="continue"><a href="/books/${other}/read"`);
  });

  test('is found in the parts of a long text', async () => {
    const epub = await reader.download('long');
    for (const [part, block, words] of [
      [2, 10.25, /^Paragraphnumber\d+ofthemarsh\.$/],
      [1, 7000, /^Paragraphnumber6999ofthemarsh\.$/],
    ] as const) {
      await reader.leave('long', '01.md', block, part);
      // Opens its parts, since an e-reader waits less than a busy machine may need for that.
      await reader.goOn('long');
      const { progress } = await reader.pull(epub.document);
      expect(saysOf(resolvePointer(epub, String(progress))!)).toMatch(words);
      await reader.push(epub.document, String(progress));
      const back = await reader.goOn('long');
      const wanted = { path: '01.md', query: part === 1 ? undefined : '?part=2', block: Math.floor(block) };
      expect(back).toEqual(wanted);
    }
  });

  test('is offered by the page when the other is newer, and not a second time', async () => {
    const { document } = await reader.download('changing');
    const open = async () => {
      const { headers } = await reader.visitor.open('/books/changing/read');
      const page = headers.get('location') ?? '';
      return { page, text: (await reader.visitor.open(page)).text };
    };
    await reader.leave('changing', '01.md', 7);
    await reader.push(document, '/body/DocFragment[4]/body/p[3]/text().0');
    expect((await reader.visitor.open('/dashboard')).text).toContain('Continue with Two');
    const first = await open();
    expect(first.page).toBe('/books/changing/read/02.md?other=site#at:3');
    expect(first.text).toContain('You were at One in the browser.');
    await reader.leave('changing', '01.md', 7);
    const second = await open();
    expect(second.page).toBe('/books/changing/read/01.md?other=device#at:7');
    expect(second.text).toContain('You were at Two in KOReader.');
    expect((await reader.visitor.open('/books/changing/read/01.md')).text).not.toContain('You were at');
    await reader.push(document, '/body/DocFragment[3]/body/p[7]');
    const third = await open();
    expect(third.page).toBe('/books/changing/read/01.md#at:7');
    expect(third.text).not.toContain('You were at');
  });
});

describe('in another edition', () => {
  const says = async (slug: string, { path, block }: { readonly path?: string; readonly block: number }) =>
    saysOf((await reader.blocks(slug, path ?? ''))[Math.floor(block)]!);
  const at = (n: number): string => `Paragraphnumber${n}ofthemarsh.`;

  test('a place is at the same paragraph: in the browser, and in the e-book of either', async () => {
    const old = await reader.download('changing');
    await reader.leave('changing', '02.md', 21.5);
    expect(await says('changing', await reader.goOn('changing'))).toBe(at(70));
    writeFiles(reader.stall.content, {
      'books/changing/item.yaml': itemYaml({
        id: 'changing-id',
        title: 'Changing',
        version: '2',
        unitAmountCents: 900,
      }),
      // Before, between and after are other paragraphs, and one is gone.
      'books/changing/01.md': `# One\n\n${numbered(0, 30)}New.\n\n${numbered(31, 50)}`,
      'books/changing/02.md': `# Two\n\nNew.\n\n- A\n- list\n\n${numbered(50, 68)}New.\n\n${numbered(68, 80)}Last.\n`,
    });
    await reader.stall.app.publish();
    const today = await reader.download('changing');
    expect(today.document).not.toBe(old.document);
    expect(await reader.goOn('changing')).toMatchObject({ path: '02.md', block: 24.5 });
    for (const epub of [old, today]) {
      const { progress } = await reader.pull(epub.document);
      expect(saysOf(resolvePointer(epub, String(progress))!)).toBe(at(70));
    }
    // The old file stays on the e-reader.
    await reader.push(old.document, '/body/DocFragment[3]/body/p[41]/text().3');
    expect(await says('changing', await reader.goOn('changing'))).toBe(at(40));
    const { progress, device } = await reader.pull(today.document);
    expect([saysOf(resolvePointer(today, String(progress))!), device]).toEqual([at(40), 'Kobo']);
    // Of a paragraph that is gone, the one after that before it.
    await reader.push(old.document, '/body/DocFragment[3]/body/p[31].0');
    expect(await says('changing', await reader.goOn('changing'))).toBe('New.');
    // A paragraph that an older e-book does not have: never a pointer that leads nowhere.
    for (const block of [0, 1, 2, 21, 34]) {
      await reader.leave('changing', '02.md', block);
      expect(resolvePointer(old, String((await reader.pull(old.document))['progress']))).not.toBeNull();
    }
  });

  test('a place in a renamed text is found by its words', async () => {
    const old = await reader.download('changing');
    await reader.leave('changing', '02.md', 10);
    const words = await says('changing', await reader.goOn('changing'));
    const folder = join(reader.stall.content, 'books/changing');
    renameSync(join(folder, '02.md'), join(folder, '09.md'));
    writeFileSync(join(folder, '02.md'), '# Between\n\nNothing of it.\n');
    await reader.stall.app.publish();
    rmSync(join(folder, '02.md'));
    await reader.stall.app.publish();
    expect(await says('changing', await reader.goOn('changing'))).toBe(words);
    const { progress } = await reader.pull(old.document);
    expect(saysOf(resolvePointer(old, String(progress))!)).toBe(words);
  });
});

/** The nodes below a node that show something. */
const all = (node: Node): readonly Node[] => [
  node,
  ...Array.from(node.childNodes ?? []).flatMap((child) =>
    child.nodeType === 1 || /\S/.test(child.nodeValue ?? '') ? all(child) : [],
  ),
];

/** The element of a node directly in the body. */
const top = (node: Node): Node => (node.parentNode?.nodeName === 'body' ? node : top(node.parentNode!));

test('the map of an e-book that a restore lost is made again when an e-reader asks', async () => {
  const before = await openReader(makeBooks(1));
  const { document } = await before.download('book-0');
  await before.leave('book-0', '02.md', 17.25);
  const { progress } = await before.pull(document);
  const { directory } = before.stall;
  await before.stall.app.close();
  rmSync(join(directory, 'data/ebooks'), { recursive: true });
  const stall = await openStall({ directory, files: {} });
  const pull = async () => {
    const answer = await stall.fetch(`/kosync/syncs/progress/${document}`, { headers: before.headers });
    return (await answer.json()) as Record<string, unknown>;
  };
  expect(await pull()).toEqual({});
  while ((await pull())['progress'] === undefined) await Bun.sleep(20);
  expect((await pull())['progress']).toBe(progress);
});
