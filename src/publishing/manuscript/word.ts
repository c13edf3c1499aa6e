// Reads Word documents: WordprocessingML, ECMA-376 part 1, in a zip. Mammoth turns one into HTML, which is then read like
// an EPUB of one document.
import { createIds } from '../../reading/markup/ids.ts';
import { MOST_CHAPTERS } from '../../catalog/chapter-limit.rule.ts';
import { SHOWN_PICTURES } from '../../catalog/picture.rule.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { type Notes, writeTarget } from './book-text.ts';
import { createItemPaths, makeBook, unpackBook } from './epub.ts';
import { findAll, lineOf, parseXml, readXml, type XmlElement } from './epub-package.ts';
import { bareManuscript, type CopiedFile, type Manuscript } from './manuscript.ts';
import { cannotImport, decodeText, type ImportLimits, refuseManyChapters } from './source-folder.ts';

type Parts = ReadonlyMap<string, Uint8Array>;

/** Reads a .docx: a chapter for each main heading, and its pictures. Tracked changes are accepted. */
export async function readWord(file: CopiedFile, limits: ImportLimits, notes: Notes): Promise<Manuscript> {
  const name = file.path;
  const parts = unpackBook(file, limits, 'save it again as a Word document (.docx), without a password');
  if (!parts.has('[Content_Types].xml'))
    throw cannotImport(name, 'it is no Word document; save it again as .docx');
  const { html, language } = await convert(name, parts, notes);
  const core = parts.get('docProps/core.xml');
  const properties = core === undefined ? null : parseXml('docProps/core.xml', core);
  const property = (wanted: string): string | null =>
    (properties === null ? [] : findAll(properties, wanted)).map(lineOf).find((text) => text !== '') ?? null;
  const named = property('title');
  const folder = name.replace(/\.docx$/i, '');
  const { chapters, title, contents, opening } = divide(html, named ?? folder, notes);
  refuseManyChapters(contents.size, limits);
  const body = `<html><body>${chapters}</body></html>`;
  const document = { id: '', path: name, type: 'application/xhtml+xml', properties: [] };
  const pictures = [...parts.keys()].map((path) => ({ id: '', path, type: 'image', properties: [] }));
  const paths = createItemPaths('word/');
  const book = {
    name,
    epub: { resources: pictures, spine: [document], cover: null, nav: null },
    files: new Map(parts).set(name, new TextEncoder().encode(body)),
    // A chapter's file is named after its title, not numbered, so that the name stays when chapters are added before it.
    paths: (path: string, extension?: string | null) =>
      paths(path === name ? opening : path.replace(`${name}#`, ''), extension),
    contents: new Map([[name, contents]]),
  };
  return {
    ...bareManuscript,
    kind: 'book',
    format: 'Word',
    folder,
    title: title ?? named,
    description: property('description'),
    authors: property('creator')?.split(';') ?? [],
    language: property('language') ?? language,
    ...makeBook(book, limits, notes),
  };
}

/** Styles that mammoth does not know, by the names that Word, LibreOffice and pandoc give them. */
const STYLES = [
  "p[style-name='Title'] => h1.title:fresh",
  ...['Quote', 'Intense Quote', 'Quotations', 'Block Text'].map(
    (name) => `p[style-name='${name}'] => blockquote > p:fresh`,
  ),
  ...['HTML Preformatted', 'Preformatted Text', 'Source Code', 'Code'].map(
    (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
  ),
  ...['HTML Code', 'Source Text', 'Verbatim Char'].map((name) => `r[style-name='${name}'] => code`),
  ...['toc', 'contents ', 'index ', 'table of figures'].map(
    (name) => `p[style-name^='${name}'] => p.contents:fresh`,
  ),
];

/** Elements that are left out, by their local names in lower case, and the sentence that reports them. */
const LEFT_OUT: readonly (readonly [sentence: string, ...names: string[]])[] = [
  ['Comments, which no chapter has', 'comment'],
  ['Equations, which were left out: write them into their chapters', 'omath'],
  ['Charts and diagrams, which were left out: paste them as pictures', 'chart', 'relids'],
  ['Documents within the document, which were left out: paste their text', 'altchunk', 'subdoc'],
];
const CHANGES = ['ins', 'del', 'movefrom', 'moveto'];

/**
 * The maximum number of paragraphs, cells and pieces of text in a document, and of all its elements: with this many, mammoth
 * needs about 1 GB of memory.
 */
const MOST_PARTS = 150_000;
const MOST_ELEMENTS = 600_000;
const PARTS = new Set(['p', 'tc', 'r']);

function createElementCount(name: string) {
  const counts = new Map<string, number>();
  let [parts, all] = [0, 0];
  return {
    add(element: string): void {
      counts.set(element, (counts.get(element) ?? 0) + 1);
      parts += PARTS.has(element) ? 1 : 0;
      if (parts > MOST_PARTS)
        throw cannotImport(
          name,
          `it has more than ${MOST_PARTS} paragraphs, cells and pieces of text; divide it`,
        );
      if (++all > MOST_ELEMENTS)
        throw cannotImport(name, `it has more than ${MOST_ELEMENTS} elements; divide it`);
    },
    of: (names: readonly string[]): number => names.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0),
  };
}

async function convert(name: string, parts: Parts, notes: Notes) {
  // Mammoth is loaded here, since no other import needs it.
  const { default: mammoth } = await import('mammoth');
  const elements = createElementCount(name);
  let levels: ReadonlyMap<string, number> = new Map();
  let language: string | null = null;
  let noteBytes = 0;
  /**
   * Reads a part of the document for mammoth. It is parsed here first, because mammoth's own parser limits neither depth
   * nor entities.
   */
  const read = async (path: string, encoding: string | undefined): Promise<string> => {
    // A picture is asked for without this encoding. Its path is enough, since its bytes stay in the zip.
    if (encoding !== 'utf-8') return path;
    const bytes = parts.get(path)!;
    let root: string | null = null;
    readXml(path, bytes, {
      open: (element) => {
        root ??= element;
        elements.add(element);
      },
    });
    if (root === 'footnotes' || root === 'endnotes') noteBytes += bytes.length;
    if (root === 'styles') {
      const styles = parseXml(path, bytes);
      levels = headingLevels(styles);
      language = findAll(styles, 'lang')[0]?.attributes.get('val') ?? null;
    }
    return decodeText(path, bytes);
  };
  /** Refuses a document that calls the same long notes often, since mammoth writes a note once for each call. */
  const refuseRepeated = (document: object): void => {
    const calls = mammoth.transforms.getDescendantsOfType(document, 'noteReference');
    const called = new Set(calls.map(({ noteType, noteId }) => `${noteType} ${noteId}`));
    if ((calls.length - called.size) * noteBytes > MOST_CHAPTERS)
      throw cannotImport(name, 'it calls the same notes too often; give each call a note of its own');
  };
  const withLevels = mammoth.transforms.paragraph((paragraph) => {
    const level = levels.get(paragraph.styleId ?? '');
    return level === undefined ? paragraph : { ...paragraph, styleId: `Heading${level}` };
  });
  const picture = mammoth.images.imgElement(async (image) => ({
    src: `./${writeTarget(await image.read('base64'))}`,
  }));
  try {
    const { value, messages } = await mammoth.convertToHtml(
      { file: { exists: (path) => parts.has(path), read } },
      {
        styleMap: STYLES,
        // Style rules that the document itself brings are ignored.
        includeEmbeddedStyleMap: false,
        idPrefix: '.',
        convertImage: async (image, messages) => {
          if (SHOWN_PICTURES.some(({ type }) => type === image.contentType)) return picture(image, messages);
          notes.lookAt('Pictures that no browser shows, paste them as PNG', await image.read('base64'));
          return [];
        },
        transformDocument: (document: object) => {
          refuseRepeated(document);
          return withLevels(document);
        },
      },
    );
    for (const { message } of messages) {
      const outside = /^could not read external image '(.*)', external/.exec(message)?.[1];
      if (outside !== undefined)
        notes.lookAt('Pictures outside of the document, which are not read', outside);
    }
    for (const [sentence, ...names] of LEFT_OUT)
      if (elements.of(names) > 0) notes.lookAt(sentence, String(elements.of(names)));
    notes.did('tracked changes accepted', elements.of(CHANGES));
    return { html: value, language: language as string | null };
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw cannotImport(name, 'its parts do not fit together; open it in a word processor, and save it again');
  }
}

function headingLevels(styles: XmlElement): ReadonlyMap<string, number> {
  const all = new Map(findAll(styles, 'style').map((style) => [style.attributes.get('styleid'), style]));
  const levelOf = (style: XmlElement | undefined, above = 0): number => {
    const [own, base] = ['outlinelvl', 'basedon'].map(
      (name) => style && findAll(style, name)[0]?.attributes.get('val'),
    );
    return own === undefined && base !== undefined && above < 10
      ? levelOf(all.get(base), above + 1)
      : Number(own ?? 9) + 1;
  };
  return new Map(
    [...all].map(([id = '', style]) => [id, levelOf(style)] as const).filter(([, level]) => level <= 6),
  );
}

const HEADING = /<h([1-6])>(.*?)<\/h\1>/gs;
const PART = /^(?:part|book|volume|teil|buch|band)\s+\S/i;
const CALL = /<sup><a href="[^"]*" epub:type="noteref".*?<\/sup>/g;

/**
 * Adds ids to the headings in mammoth's HTML at which chapters begin: the main headings, or those one level below if the
 * main ones are the book's title or its parts.
 */
function divide(written: string, named: string, notes: Notes) {
  const text = written
    .replace(/<p class="contents">.*?<\/p>/gs, () => {
      notes.leftOut('The table of contents, which the stall makes itself');
      return '';
    })
    // A table in Markdown needs a head. Most tables in Word do not mark one, so the first row becomes the head.
    .replace(/<table><tr>((?:(?!<table>).)*?)<\/tr>(?=<tr>)/gs, (row) => row.replace(/(<\/?)td\b/g, '$1th'))
    .replace(/<input type="checkbox"( checked="checked")? \/>/g, (_, isChecked) => (isChecked ? '☑' : '☐'))
    .replace(/(<a href="#|<li id=")\.(f|e)(?:oot|nd)note-(-?\d+)"/g, (_, before: string, kind, number) => {
      const type = before === '<li id="' ? 'footnote' : 'noteref';
      return `${before}${kind}n${number}" epub:type="${type}"`;
    });
  const titles: string[] = [];
  const first = text.search(/<h[1-6]>/);
  const [front, rest] = first === -1 ? [text, ''] : [text.slice(0, first), text.slice(first)];
  const html =
    front.replace(/<h1 class="title">(.*?)<\/h1>/gs, (_, title: string) => {
      titles.push(plain(title));
      return '';
    }) + rest.replaceAll('<h1 class="title">', '<h1>');

  const found = [...html.matchAll(HEADING)].map(({ 0: whole, 1: level, 2: inner = '', index }) => ({
    level: Number(level),
    title: plain(inner),
    start: index,
    end: index + whole.length,
  }));
  const [top, below] = [...new Set(found.map(({ level }) => level))].toSorted((a, b) => a - b);
  const tops = found.filter(({ level }) => level === top);
  const isLone =
    titles.length === 0 && tops.length === 1 && found.filter((one) => one.level === below).length > 1;
  const areParts = tops.length > 0 && tops.every(({ title }) => PART.test(title));
  if (isLone) titles.push(tops[0]!.title);
  if (found.length === 0)
    notes.lookAt(
      'No paragraph has the style of a heading, and all is one chapter: give titles of chapters the style "Heading 1"',
    );

  const title = titles.join(' ') || null;
  const ids = createIds();
  // Text before the first chapter becomes a chapter with the book's title.
  const contents = new Map([['', { title: title ?? named, level: 1, part: null as string | null }]]);
  let [chapters, end, part, opening]: [string, number, string | null, string] = ['', 0, null, 'book'];
  for (const [n, { level, title, ...heading }] of found.entries()) {
    const isOuter = level === top && (isLone || areParts);
    if (!isOuter && level !== (isLone || areParts ? below : top)) continue;
    if (isOuter && areParts) part = title;
    chapters += html.slice(end, heading.start);
    // A book's title or a part's heading becomes a chapter only if text follows it.
    const isChapter = !isOuter || found[n + 1]?.start !== heading.end;
    end = isChapter ? heading.start + '<h1>'.length : heading.end;
    if (!isChapter) continue;
    const id = ids.forHeading(title.slice(0, 60));
    if (contents.size === 1 && plain(chapters) === '' && !chapters.includes('<img')) opening = id;
    contents.set(id, { title, level: 1, part });
    chapters += `<h${level} id="${id}">`;
  }
  return { chapters: chapters + html.slice(end), title, contents, opening };
}

const plain = (html: string): string =>
  html
    .replace(CALL, '')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>' })[name] ?? '"')
    .trim();
