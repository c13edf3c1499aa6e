// Reads the files of a Leanpub book, https://leanpub.com/help/manual
import { titleOfChapter } from '../../catalog/chapters.rule.ts';
import { formatType } from '../../catalog/path.rule.ts';
import { pictureOf, SHOWN_PICTURES } from '../../catalog/picture.rule.ts';
import { resolveLink } from '../../platform/base/markdown-link.ts';
import { createIds } from '../../reading/markup/ids.ts';
import {
  cannotImport,
  createIncludeLimit,
  type ImportLimits,
  naturalOrder,
  refuseManyChapters,
  refuseOutside,
  type SourceFolder,
} from './source-folder.ts';
import { bareManuscript, type Manuscript, type ManuscriptFile } from './manuscript.ts';
import {
  makeBookFiles,
  mapTargets,
  type Notes,
  relativePath,
  splitFences,
  type TextChapter,
} from './book-text.ts';

const TEXT = /\.(?:md|markdown|markua|txt)$/i;
const LISTS = new Set(['Book.txt', 'Sample.txt', 'Subset.txt']);
const COVERS = ['title_page', 'cover'].flatMap((name) =>
  ['images/', 'resources/', ''].flatMap((folder) =>
    SHOWN_PICTURES.flatMap(({ endings }) => endings.map((ending) => `${folder}${name}.${ending}`)),
  ),
);

/** Finds the folder that holds the texts of a Leanpub book, '' for the source itself; null if the source is no such book. */
export function findLeanpub(folder: SourceFolder): string | null {
  if (folder.find('Book.txt') !== null) return '';
  return folder.find('manuscript/Book.txt') !== null || folder.isFolder('manuscript') ? 'manuscript' : null;
}

type Read = { readonly path: string; readonly plain: PlainMarkua };

export function readLeanpub(
  folder: SourceFolder,
  { base, name, limits, notes }: { base: string; name: string; limits: ImportLimits; notes: Notes },
): Manuscript {
  const at = (path: string): string => (base === '' ? path : `${base}/${path}`);
  const listed = listOf(folder.text(at('Book.txt')));
  const paths = listed ?? naturalTexts(folder, base, notes);
  refuseManyChapters(paths.length, limits);
  const find = (path: string): ManuscriptFile | null => {
    const places = ['', 'resources/', 'images/', 'resources/images/'].values();
    const file = places.map((under) => folder.find(at(under + path))).find((found) => found !== null);
    return file == null ? null : { ...file, path };
  };
  const limited = createIncludeLimit();
  const codeOf = (path: string, from: string): string | null => {
    refuseOutside(resolveLink(at(path), ''), path, from);
    if (path.includes('..')) return null;
    const places = ['', 'code/', 'resources/', 'resources/code/'].values();
    const text = places.map((under) => folder.text(at(under + path))).find((found) => found !== null);
    return text == null ? null : limited(from, text);
  };
  const texts = [...new Set(paths)].flatMap((path): readonly Read[] => {
    refuseOutside(resolveLink(at(path), ''), path, at('Book.txt'));
    const text = path.split('/').includes('..') ? null : folder.text(at(path));
    if (text === null) notes.leftOut('Chapters of Book.txt without a file', path);
    return text === null ? [] : [{ path, plain: plainMarkua(text, { code: codeOf, path, notes }) }];
  });
  const chapters = linkAcross(texts).map((chapter) => ({ ...chapter, text: fromManuscript(chapter, find) }));
  if (chapters.length === 0)
    throw cannotImport(at('Book.txt'), 'it names no chapter that has a file; write its chapters');
  const sample = new Set(listOf(folder.text(at('Sample.txt'))) ?? []);
  for (const path of sample) refuseOutside(resolveLink(at(path), ''), path, at('Sample.txt'));
  const cover = COVERS.find((path) => folder.find(at(path)) !== null) ?? null;
  return {
    ...bareManuscript,
    kind: 'book',
    format: 'Leanpub',
    folder: name,
    math: texts.some(({ plain }) => plain.hasMath),
    cover,
    chapters: chapters.map(({ text: _, ...chapter }) => chapter),
    sample: texts
      .filter(({ path, plain }) => sample.has(path) || plain.isSample)
      .map(({ path }) => asMarkdown(path))
      .filter((path) => chapters.some((chapter) => chapter.path === path)),
    files: withCover(makeBookFiles({ chapters, find, notes }), cover === null ? null : find(cover)),
  };
}

/**
 * Makes the chapters, and turns links to an id into links to the chapter with that id. A file with only a part's heading
 * becomes no chapter.
 */
function linkAcross(texts: readonly Read[]): readonly TextChapter[] {
  const places = new Map(
    texts.flatMap(({ path, plain }) => {
      const slugs = slugsOf(plain.text);
      return [...plain.ids].map(
        ([id, heading]) => [id, { path: asMarkdown(path), slug: slugs.get(heading) }] as const,
      );
    }),
  );
  let part: string | null = null;
  return texts.flatMap(({ path: written, plain }): readonly TextChapter[] => {
    part = plain.part ?? part;
    if (plain.text.trim() === '') return [];
    const path = asMarkdown(written);
    const text = plain.text.replace(/\]\(#([\w-]+)\)/g, (link, id: string) => {
      const place = places.get(id);
      if (place === undefined) return link;
      const file = place.path === path ? '' : relativePath(path, place.path);
      return `](${file}${place.slug === undefined ? '' : `#${place.slug}`})`;
    });
    return [{ path, title: titleOfChapter(path, text), level: 1, part, text: `${text.trim()}\n` }];
  });
}

/**
 * Rewrites the file addresses in a text. Leanpub reads them from the manuscript's folder; the result is relative to the
 * text's own folder.
 */
function fromManuscript({ path, text }: TextChapter, find: (path: string) => ManuscriptFile | null): string {
  if (!path.includes('/')) return text;
  return mapTargets(text, (target) => {
    const isBeside = find(resolveLink(target.path, path)) !== null;
    return isBeside || find(target.path) === null ? null : relativePath(path, target.path);
  });
}

function slugsOf(text: string): ReadonlyMap<string, string> {
  const ids = createIds();
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading);
  return new Map(
    headings.map((heading) => [heading, ids.forHeading(heading.replace(/[*_`]/g, ''))] as const),
  );
}

function listOf(text: string | null): readonly string[] | null {
  if (text === null) return null;
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#{%]|:$/.test(line));
}

function naturalTexts(folder: SourceFolder, base: string, notes: Notes): readonly string[] {
  notes.lookAt('There is no Book.txt: the chapters are in the order of their names');
  return folder
    .list(base)
    .map((path) => path.slice(base === '' ? 0 : base.length + 1))
    .filter((path) => TEXT.test(path) && !LISTS.has(path) && !path.startsWith('resources/'))
    .toSorted(naturalOrder);
}

const asMarkdown = (path: string): string => path.replace(/\.(?:markua|txt)$/i, '.md');

const withCover = (
  files: readonly ManuscriptFile[],
  cover: ManuscriptFile | null,
): readonly ManuscriptFile[] =>
  cover === null || files.some(({ path }) => path === cover.path) ? files : [...files, cover];

/**
 * A chapter as plain Markdown, with the facts from its markup. `part` is the title of the part that begins here,
 * `isSample` whether it belongs to the sample, and `ids` maps each id of a heading to the heading as written.
 */
type PlainMarkua = ReturnType<typeof plainMarkua>;

type Source = {
  readonly code: (path: string, from: string) => string | null;
  readonly path: string;
  readonly notes: Notes;
};

type State = {
  readonly out: string[];
  readonly ids: Map<string, string>;
  part: string | null;
  isSample: boolean;
  /** The attributes in the lines before, which apply to the next block. */
  attributes: Attributes;
  fence: string | null;
};

type Reader = (line: string, state: State, source: Source) => readonly string[] | null;

const FENCE = /^\s*(`{3,}|~{3,})\s*(\S*)/;
const HEADING =
  /^(-?)(#{1,6})[ \t]+(?=\S)(.*?)(?<![ \t])(?:[ \t]+(#+))?(?<![ \t])[ \t]*(?:\{#([\w-]+)\}[ \t]*)?$/;
const CODE_FILE = /^<<(?:\[([^\]]*)\])?\(([^()\s]+)\)\s*$/;
const RESOURCE = /^!\[([^\]]*)\]\(([^()\s:]+\.\w+)\)\s*$/;
const CROP = /^\s*(?:leanpub|markua)-(?:start|end)-(?:insert|delete)\s*$/;
const QUOTE = /^(?:> ?)*/;

function plainMarkua(markua: string, source: Source) {
  const state: State = {
    out: [],
    ids: new Map(),
    part: null,
    isSample: false,
    attributes: new Map(),
    fence: null,
  };
  const math = plainFormulas(markua);
  for (const line of quoteBoxes(math.split(/\r?\n/), source.notes)) {
    const quote = QUOTE.exec(line)?.[0] ?? '';
    const inner = line.slice(quote.length);
    const read = READERS.values().map((one) => one(inner, state, source));
    const lines = read.find((found) => found !== null);
    const isPlain = inner.length > 10 * LONGEST_ATTRIBUTES || !inner.includes('{');
    state.out.push(
      ...(lines ?? [isPlain ? inner : inner.replace(IN_LINE, '')]).map((one) => (quote + one).trimEnd()),
    );
    if (inner.trim() !== '' && lines !== NOTHING) state.attributes = new Map();
  }
  const { out, part, isSample, ids } = state;
  const text = out.join('\n').replace(/\n{3,}/g, '\n\n');
  return { text, part, isSample, ids, hasMath: math !== markua };
}

/** Matches formulas of Leanpub, `{$$}x{/$$}`, and of Markua, `\`x\`$`. */
const FORMULA =
  /^\{\$\$\}([^]{1,5000}?)\{\/\$\$\}$|\{\$\$\}(.{1,2000}?)\{\/\$\$\}|(?<!`)`([^`\n]{1,500})`\$/gm;

const plainFormulas = (markua: string): string =>
  splitFences(markua)
    .map(({ isCode, text }) =>
      isCode
        ? text
        : text.replace(FORMULA, (_, block?: string, inline?: string, code = '') =>
            block === undefined ? `$${(inline ?? code).trim()}$` : `$$${block}$$`,
          ),
    )
    .join('');

/**
 * Returned for a line of attributes or a comment, of which nothing is written. `plainMarkua` recognises this very array,
 * since the attributes still apply to the next block.
 */
const NOTHING: readonly string[] = [];

const readFence: Reader = (line, state) => {
  const [, mark, language] = FENCE.exec(line) ?? [];
  if (state.fence !== null) {
    if (mark?.startsWith(state.fence) && line.trim() === mark) state.fence = null;
    return CROP.test(line) ? [] : [line];
  }
  if (mark === undefined) return null;
  state.fence = mark;
  const named = state.attributes.get('lang') ?? state.attributes.get('format');
  return [...captionOf(state), language === '' && named !== undefined ? `${mark}${named}` : line];
};

const readMarks: Reader = (line, state, { notes }) => {
  const attributes = readAttributes(line);
  if (attributes !== null) {
    if (attributes.get('sample') === 'true') state.isSample = true;
    state.attributes = new Map([...state.attributes, ...attributes]);
    notes.did('attributes left out');
    return NOTHING;
  }
  if (!/^\{::.*\/\}$/.test(line.trim()) && !line.startsWith('%%')) return null;
  notes.did('comments left out');
  return NOTHING;
};

const readCodeFile: Reader = (line, state, { code, path, notes }) => {
  const named = CODE_FILE.exec(line);
  const [, title = '', file = ''] = named ?? RESOURCE.exec(line) ?? [];
  const isCode = named !== null || (pictureOf(file) ?? formatType(file)) === null;
  const text = file !== '' && isCode ? code(file, path) : null;
  if (text === null) {
    if (named !== null) notes.lookAt('Code files that are not there', `${file} (in ${path})`);
    return named === null ? null : [];
  }
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  const marks = '`'.repeat(runs.reduce((most, length) => Math.max(most, length), 3));
  const language = state.attributes.get('lang') ?? state.attributes.get('format') ?? file.split('.').at(-1);
  notes.did('code files taken into chapters');
  const head = title === '' ? captionOf(state) : [`**${title}**`, ''];
  return [...head, `${marks}${language}`, ...text.trimEnd().split(/\r?\n/), marks];
};

const readHeading: Reader = (line, state) => {
  const heading = HEADING.exec(line);
  if (heading === null) return null;
  const [, dash, marks = '', title = '', closing, id] = heading;
  const isFirst = state.out.every((before) => before.trim() === '');
  const isPart =
    dash === '-' || state.attributes.get('class') === 'part' || (marks === '#' && closing === '#');
  const own = id ?? state.attributes.get('id');
  if (own !== undefined) state.ids.set(own, title);
  if (!isPart || !isFirst) return [`${marks} ${title}`];
  state.part = title;
  return [];
};

const READERS: readonly Reader[] = [readFence, readMarks, readCodeFile, readHeading];

function captionOf({ attributes }: State): readonly string[] {
  const caption = attributes.get('caption') ?? attributes.get('title');
  return caption === undefined ? [] : [`**${caption}**`, ''];
}

// Attribute lists of Markua, https://leanpub.com/markua/read, and of the older Leanpub Flavoured Markdown.

const VALUE = String.raw`(?:"[^"]*"|'[^']*'|“[^”]*”|[^\s,"'{}]+)`;
const ONE = String.raw`[#.]?[\w-]+(?: ?[:=] ?${VALUE})?`;
const LIST = String.raw`\{ ?${ONE}(?:(?:, ?| )${ONE})* ?\}`;
const WHOLE_LINE = new RegExp(`^${LIST}$`);
const IN_LINE = new RegExp(String.raw`(?<=[)\]\`*_])${LIST}|\{(?:i|index) ?: ?[^{}]*\}`, 'g');
const PAIR = new RegExp(String.raw`([#.]?[\w-]+)(?: ?[:=] ?(${VALUE}))?`, 'g');
const LONGEST_ATTRIBUTES = 1000;

type Attributes = ReadonlyMap<string, string>;

/** Reads the attributes of a line that is nothing else, such as `{sample: true}`; null for any other line. */
function readAttributes(line: string): Attributes | null {
  const trimmed = line.trim();
  if (trimmed.length > LONGEST_ATTRIBUTES || !WHOLE_LINE.test(trimmed)) return null;
  return new Map(
    [...trimmed.slice(1, -1).matchAll(PAIR)].map(([, key = '', value = 'true']) => [
      key.startsWith('#') ? 'id' : key,
      key.startsWith('#') ? key.slice(1) : value.replace(/^["'“]|["'”]$/g, ''),
    ]),
  );
}

/** The word that is put before each kind of box. A box of an unknown kind becomes a quotation without a word. */
const NAMES: Readonly<Record<string, string>> = {
  D: 'Discussion',
  E: 'Error',
  I: 'Information',
  Q: 'Question',
  T: 'Tip',
  W: 'Warning',
  X: 'Exercise',
};
const LINE = /^([ABCDEIQTWX])>(?: (.*))?$/;
const CENTRED = 'C';
const BLOCK = /^\{(\/?)(?:aside|blurb)((?:,| |:)[^{}]*)?\}$/;
const BOX_FENCE = /^\s*(`{3,}|~{3,})/;

function quoteBoxes(lines: readonly string[], notes: Notes): readonly string[] {
  const out: string[] = [];
  let kind: string | null = null;
  let fence: string | null = null;
  let isBlock = false;
  for (const line of lines) {
    const boxed: RegExpExecArray | null = fence === null ? LINE.exec(line) : null;
    const block = fence === null ? BLOCK.exec(line.trim()) : null;
    const next = boxed?.[1] ?? null;
    if (next !== kind && (next !== null || line.trim() !== '')) out.push('');
    if (next !== kind && next !== null) out.push(...headOf(next, notes));
    kind = next;
    if (block !== null) {
      isBlock = block[1] === '';
      out.push('', ...(isBlock ? headOfBlock(block[2] ?? '', notes) : []));
    } else if (boxed !== null)
      out.push(kind === CENTRED ? (boxed[2] ?? '') : `> ${boxed[2] ?? ''}`.trimEnd());
    else out.push(isBlock ? `> ${line}`.trimEnd() : line);
    const mark: string | undefined = boxed === null ? BOX_FENCE.exec(line)?.[1] : undefined;
    if (fence === null) fence = mark ?? null;
    else if (mark !== undefined && mark.startsWith(fence)) fence = null;
  }
  return out;
}

function headOf(kind: string, notes: Notes): readonly string[] {
  if (kind === CENTRED) return [];
  notes.did('boxes made quotations');
  const name = NAMES[kind];
  return name === undefined ? [] : [`> **${name}**`, '>'];
}

function headOfBlock(attributes: string, notes: Notes): readonly string[] {
  const kind = /class ?[:=] ?"?(\w)(\w*)/.exec(attributes);
  notes.did('boxes made quotations');
  return kind === null ? [] : [`> **${kind[1]?.toUpperCase()}${kind[2]}**`, '>'];
}
