// A made-up reader of e-books in seven scripts: it keeps places as the site's page and KOReader do, and finds elements in an
// e-book by crengine's rules for pointers, in a DOM that is not ours.
import { createHash } from 'node:crypto';
import { DOMParser } from '@xmldom/xmldom';
import { unzipSync } from 'fflate';
import { expect } from 'bun:test';
import { type Files, itemYaml, openStall, type Stall } from '../helpers/harness.ts';
import { createVisitor, hidden } from '../platform/site/visitor.ts';
import { createRandom } from '../bench/random.ts';

/** The part of the DOM that is used here. */
export type Node = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes?: ArrayLike<Node>;
  readonly parentNode: Node | null;
};
export type Element = Node & {
  readonly tagName: string;
  readonly getAttribute: (name: string) => string | null;
  readonly getElementsByTagName: (name: string) => ArrayLike<Element>;
};

const parseXml = (text: string): Element =>
  (new DOMParser().parseFromString(text, 'text/xml') as unknown as { readonly documentElement: Element })
    .documentElement;

export const md5 = (text: string | Uint8Array): string => createHash('md5').update(text).digest('hex');

/** KOReader's hash of a file, as `util.partialMD5` makes it. */
export function partialMd5(bytes: Uint8Array): string {
  const hash = createHash('md5');
  for (let i = -1; i <= 10; i++) {
    const start = i < 0 ? 0 : 1024 * 2 ** (2 * i);
    if (start >= bytes.length) break;
    hash.update(bytes.subarray(start, start + 1024));
  }
  return hash.digest('hex');
}

const WORDS: Readonly<Record<string, string>> = {
  en: 'heron marsh water stands leg cold reed wind frost otter silver bank early mist stone river quiet feather',
  ru: 'цапля болото вода стоит нога холод тростник ветер иней выдра берег рано туман камень река тихо перо',
  el: 'ερωδιός βάλτος νερό στέκεται πόδι κρύο καλάμι άνεμος πάχνη όχθη νωρίς ομίχλη πέτρα ποτάμι φτερό',
  ar: 'مالك الحزين مستنقع ماء يقف ساق برد قصب ريح صقيع ضفة باكر ضباب حجر نهر هادئ ريشة',
  hi: 'बगुला दलदल पानी खड़ा पैर ठंड सरकंडा हवा पाला किनारा सुबह कोहरा पत्थर नदी शांत पंख',
  ja: 'さぎ 沼地 水 立つ 足 寒い 葦 風 霜 岸辺 早朝 霧 石 川 静か 羽',
  zh: '苍鹭 沼泽 水面 站立 一条腿 寒冷 芦苇 风声 白霜 岸边 清晨 薄雾 石头 河流 安静 羽毛',
};

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Twenty books in seven scripts, with every kind of block. */
export function makeBooks(count: number): Files {
  const files: Record<string, string | Uint8Array> = {};
  for (let n = 0; n < count; n++) {
    const random = createRandom(n + 1);
    const language = Object.keys(WORDS)[n % 7]!;
    const folder = `books/book-${n}`;
    files[`${folder}/item.yaml`] = itemYaml({
      id: `book-${n}-id`,
      title: `Book ${n}`,
      language,
      math: n % 2 === 0 ? 'true' : 'false',
    });
    files[`${folder}/plate.png`] = PICTURE;
    for (let chapter = 1; chapter <= 4; chapter++)
      files[`${folder}/0${chapter}.md`] = writeChapter(random, language, chapter);
    if (n % 3 === 0) files[`${folder}/05.txt`] = writePlain(random, language);
  }
  return files;
}

function writeChapter(random: () => number, language: string, chapter: number): string {
  const words = WORDS[language]!.split(' ');
  const pick = () => words[Math.floor(random() * words.length)]!;
  const say = (most = 30) => Array.from({ length: 2 + Math.floor(random() * most) }, pick).join(' ');
  let notes = '';
  let count = 0;
  const note = () => {
    notes += `[^n${++count}]: ${say()} ${count}\n\n    ${say()}\n\n`;
    return `[^n${count}]`;
  };
  const kinds: readonly (() => string)[] = [
    () => `${say(80)}.`,
    () => `${say()} *${say(4)}* **${say(3)}** \`code\` ${note()} & <b>${say(2)}</b>.`,
    () => `## ${say(5)}`,
    () => `- ${say()}\n- ${say()}\n\n  ${say()}\n\n  1. ${say()}\n  2. ${say()}\n- ${say()}`,
    () => `3. ${say(5)}\n4. ${say(60)}\n5. ${say(5)}`,
    () =>
      `| ${say(2)} | ${say(2)} |\n| --- | ---: |\n${Array.from({ length: 4 }, () => `| ${say(4)} | ${say(9)} |\n`).join('')}`,
    () => `\`\`\`js\nconst a = "${say(3)}";\n\nif (a < 2) run(a && b);\n\`\`\``,
    () => `    ${say(4)}\n    ${say(4)}`,
    () => `$$\n\\frac{${1 + Math.floor(random() * 99)}}{x^2} + \\sqrt{y}\n$$`,
    () => `> [!${random() < 0.5 ? 'NOTE' : 'WARNING'}]\n> ${say()}\n>\n> ${say()}`,
    () => `> ${say()}\n>\n> > ${say()}\n>\n> - ${say(5)}\n> - ${say(5)}`,
    () => `![${say(3)}](plate.png)`,
    () => `${say()} ![${say(2)}](plate.png) ${say()}`,
    () => '---',
    () => `<dl><dt>${say(2)}</dt><dd>${say()}</dd><dt>${say(2)}</dt><dd>${say()}</dd></dl>`,
    () => `<details><summary>${say(3)}</summary>\n\n${say()}\n\n</details>`,
    () => `<figure><img src="plate.png" alt="${say(2)}"><figcaption>${say(5)}</figcaption></figure>`,
    () =>
      `<table><caption>${say(2)}</caption><tr><th>${say(2)}<td>${say(4)}<tr><td colspan=2><p>${say(3)}<p>${say(3)}</table>`,
    () => `<ruby>漢<rt>かん</rt></ruby> ${say(9)}`,
    () => `<div align="center">\n\n${say()}\n\n${say()}\n\n</div>`,
  ];
  const body = Array.from({ length: 60 }, () => kinds[Math.floor(random() * kinds.length)]!());
  return `# ${say(4)} ${chapter}\n\n${body.join('\n\n')}\n\n${notes}`;
}

function writePlain(random: () => number, language: string): string {
  const words = WORDS[language]!.split(' ');
  const line = () => Array.from({ length: 8 }, () => words[Math.floor(random() * words.length)]).join(' ');
  const paragraph = () => Array.from({ length: 1 + Math.floor(random() * 6) }, line).join('\n');
  return `${Array.from({ length: 30 }, paragraph).join('\n\n')}\n`;
}

export const childElements = (node: Node): readonly Element[] =>
  Array.from(node.childNodes ?? []).filter((child): child is Element => child.nodeType === 1);

const spoken = (node: Node): string =>
  (node.nodeType === 3 ? (node.nodeValue ?? '') : '') +
  (node.nodeType === 1 ? ((node as Element).getAttribute('alt') ?? '') : '') +
  Array.from(node.childNodes ?? [])
    .map(spoken)
    .join('');

/** The words of an element, without any white space. */
export const saysOf = (node: Node): string => spoken(node).replace(/\s+/g, '');

export type Epub = { readonly document: string; readonly spine: readonly Element[] };

/** Opens an EPUB as crengine does: a document for each item of the spine. */
export function openEpub(bytes: Uint8Array): Epub {
  const files = unzipSync(bytes);
  // Two editions differ in what an e-reader hashes.
  expect(Object.keys(files).slice(0, 2)).toEqual(['mimetype', 'EPUB/package.opf']);
  const parse = (path: string) =>
    new DOMParser().parseFromString(Buffer.from(files[path]!).toString(), 'text/xml');
  const opf = parse('EPUB/package.opf');
  const all = (tag: string): readonly Element[] => Array.from<Element>(opf.getElementsByTagName(tag));
  const items = new Map(all('item').map((item) => [item.getAttribute('id'), item.getAttribute('href')]));
  const spine = all('itemref').map((item) => `EPUB/${items.get(item.getAttribute('idref'))}`);
  return { document: partialMd5(bytes), spine: spine.map(parse) };
}

/** Finds the node of a pointer as crengine's createXPointerV2 does; null if the pointer leads nowhere. */
export function resolvePointer({ spine }: Epub, pointer: string): Node | null {
  const [, fragment, rest] =
    /^\/body(?:\[1\])?\/DocFragment(?:\[(\d+)\])?\/body(?:\[1\])?(.*)$/.exec(pointer) ?? [];
  if (rest === undefined) return null;
  let node: Node | null = spine[Number(fragment ?? 1) - 1]?.getElementsByTagName('body')[0] ?? null;
  for (const step of rest
    .replace(/\.\d+$/, '')
    .split('/')
    .slice(1)) {
    const [, name, index] = /^([\w-]+|text\(\))(?:\[(\d+)\])?$/.exec(step) ?? [];
    const wanted: readonly Node[] =
      node === null
        ? []
        : name === 'text()'
          ? Array.from(node.childNodes ?? []).filter(
              (one) => one.nodeType === 3 && /\S/.test(one.nodeValue ?? ''),
            )
          : childElements(node).filter((one) => one.tagName === name);
    node = wanted[Number(index ?? 1) - 1] ?? null;
  }
  return node;
}

/** Writes the pointer of a node as crengine's toStringV2 does, of documents of before August 2026, or with each `[1]`. */
export function pointerTo(node: Node, fragment: number, isExplicit: boolean): string {
  let way = '';
  let at: Node = node;
  while (at.parentNode !== null && at.nodeName !== 'body') {
    const isText = at.nodeType === 3;
    const alike = Array.from(at.parentNode.childNodes ?? []).filter((one) =>
      isText
        ? one.nodeType === 3 && /\S/.test(one.nodeValue ?? '')
        : one.nodeType === 1 && one.nodeName === at.nodeName,
    );
    const name = isText ? 'text()' : at.nodeName;
    const index = alike.indexOf(at) + 1;
    way = `/${name}${isExplicit || alike.length > 1 ? `[${index}]` : ''}${way}`;
    at = at.parentNode;
  }
  const one = isExplicit ? '[1]' : '';
  return `/body${one}/DocFragment[${fragment}]/body${one}${way}`;
}

/** A reader of a stall, with a browser, a device key, and a clock that goes on with each place. */
export async function openReader(books: Files) {
  let now = Date.UTC(2026, 10, 29);
  const stall = await openStall({ files: books, now: () => (now += 1000) });
  const slugs = Object.keys(books).flatMap((path) => /^books\/([^/]+)\/item\.yaml$/.exec(path)?.[1] ?? []);
  await stall.reader('anna@example.org', ...slugs);
  const cookie = await stall.signIn('anna@example.org');
  const visitor = createVisitor(stall, cookie);
  const once = hidden((await visitor.open('/dashboard/devices')).html, 'once');
  const { text } = await visitor.send('/dashboard/devices', { once });
  const headers = { 'x-auth-user': 'anna', 'x-auth-key': md5(/\b([a-z2-7]{16})\b/.exec(text)?.[1] ?? '') };
  return { stall, cookie, slugs, headers, ...readerOf(stall, visitor, headers) };
}

function readerOf(
  stall: Stall,
  visitor: ReturnType<typeof createVisitor>,
  headers: Readonly<Record<string, string>>,
) {
  return {
    visitor,
    async download(slug: string): Promise<Epub> {
      const response = await stall.fetch(`/api/books/${slug}-id/epub`, {
        headers: visitor.cookie,
      });
      expect(response.status).toBe(200);
      return openEpub(await response.bytes());
    },
    /** Leaves the browser's page at a place. */
    async leave(slug: string, path: string, block: number, part = 1): Promise<void> {
      const page = `/books/${slug}/read/${path}`;
      const fields = { page, part: String(part), block: String(block), age: '0' };
      expect((await visitor.send('/dashboard/place', fields)).status).toBe(204);
    },
    /** Where the browser goes on. */
    async goOn(slug: string) {
      const { headers } = await visitor.open(`/books/${slug}/read`);
      const [, path, query, block] =
        /\/read\/([^?#]+)(\?[^#]*)?(?:#at:([\d.]+))?$/.exec(headers.get('location') ?? '') ?? [];
      return { path, query, block: Number(block ?? 0) };
    },
    async pull(document: string) {
      const response = await stall.fetch(`/kosync/syncs/progress/${document}`, { headers });
      return (await response.json()) as Record<string, unknown>;
    },
    async push(document: string, progress: string): Promise<void> {
      const body = JSON.stringify({ document, progress, percentage: 0.5, device: 'Kobo', device_id: 'K' });
      const response = await stall.fetch('/kosync/syncs/progress', { method: 'PUT', headers, body });
      expect(response.status).toBe(200);
    },
    /** The blocks of a chapter's page, as its script counts them. */
    async blocks(slug: string, path: string): Promise<readonly Element[]> {
      const edition = stall.app.catalog().editions.find(({ manifest }) => manifest.slug === slug)!;
      const page = await stall.app.stall.pages.open(
        edition,
        edition.files.find((file) => file.path === path)!,
      );
      const html = Buffer.from(page!.page.html).toString();
      return childElements(parseXml(`<x>${html}</x>`));
    },
  };
}

/**
 * Keeps `count` random places in each book, and takes each to KOReader and back. Returns those that went wrong: whose pointer
 * leads nowhere or to another paragraph, or that come back elsewhere.
 */
export async function walkPlaces(
  reader: Awaited<ReturnType<typeof openReader>>,
  slugs: readonly string[],
  count: number,
) {
  const wrong: object[] = [];
  for (const [n, slug] of slugs.entries()) {
    const random = createRandom(1000 + n);
    const epub = await reader.download(slug);
    const paths = ['01.md', '02.md', '03.md', '04.md', ...(n % 3 === 0 ? ['05.txt'] : [])];
    const pages = new Map(
      await Promise.all(paths.map(async (path) => [path, await reader.blocks(slug, path)] as const)),
    );
    for (let i = 0; i < count; i++) {
      const path = paths[Math.floor(random() * paths.length)]!;
      const blocks = pages.get(path)!;
      const block = Number((Math.floor(random() * blocks.length) + random() * 0.99).toFixed(2));
      await reader.leave(slug, path, block);
      const told = await reader.pull(epub.document);
      const pointer = String(told['progress']);
      const element = resolvePointer(epub, pointer);
      const isIn = element !== null && saysOf(blocks[Math.floor(block)]!).includes(saysOf(element));
      const isPlain = path.endsWith('.txt') && element !== null;
      await reader.push(epub.document, `${pointer}/text().0`);
      const back = await reader.goOn(slug);
      const isBack = back.path === path && Math.floor(back.block) === Math.floor(block);
      await reader.leave(slug, path, back.block);
      const again = await reader.pull(epub.document);
      if (!(isIn || isPlain) || !isBack || again['progress'] !== pointer || told['device'] !== 'Bookstall')
        wrong.push({ slug, path, block, pointer, back, again: again['progress'], isIn });
    }
  }
  return wrong;
}
