import { allBelow, elementsOf, lineOf, type XmlElement, type XmlNode, xmlText } from './epub-package.ts';
import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

/**
 * Converts the addresses in a document to those in its chapter. If the result is null, an image becomes its alternative
 * text, and a link plain text.
 */
type DocumentLinks = {
  readonly link: (address: string) => string | null;
  readonly image: (address: string) => string | null;
  /** Called for a table that is too large, whose rows become paragraphs instead. */
  readonly largeTable?: () => void;
};

/**
 * The maximum number of steps for the tables of a document. For each cell the Markdown writer visits all cells of the
 * table: one table of 1000 cells reaches this limit.
 */
const MOST_LOOKS = 1000 ** 2;

const PLAIN = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p blockquote ul ol li dl dt dd table thead tbody tfoot tr th td caption em strong i b code kbd sup sub ' +
    'del s mark'
  ).split(' '),
);
const BLOCKS = new Set(
  'body div section article main header footer figure figcaption aside nav center address'.split(' '),
);
const BLOCK_TEXT = new Set('h1 h2 h3 h4 h5 h6 p blockquote ul ol dl table pre hr'.split(' '));
const SILENT = new Set(
  'head script style title template audio video iframe object embed noscript rp'.split(' '),
);
/** Matches a list's first number that is kept: one of at most six digits. */
const START = /^\d{1,6}$/;
const SPAN = /^\d{1,3}$/;
const NOTE_TYPE = /(?:^|\s)(?:foot|end|rear)note(?:\s|$)|doc-(?:foot|end)note(?:\s|$)/;
const CALL_TYPE = /(?:^|\s)noteref(?:\s|$)|doc-noteref/;
const BACK_TYPE = /(?:^|\s)(?:backlink|referrer)(?:\s|$)|doc-backlink/;
const PAGE_TYPE = /(?:^|\s)pagebreak(?:\s|$)|doc-pagebreak/;

/** These match the class names that publishers give to a line of verse, to a group of lines, and to a line's number. */
const LINE = /(?:^|\s)(?:ln|l|line|verse|verse-?line|poem-?line|poetry-?line)(?:\s|$)/i;
const STANZA = /(?:^|\s)(?:line-?group|lg|stanza|strophe)(?:\s|$)/i;
const LINE_NUMBER = /(?:^|\s)(?:lnum|line-?num(?:ber)?)(?:\s|$)/i;

const classOf = ({ attributes }: XmlElement): string => attributes.get('class') ?? '';

function isLine(node: XmlNode, isStanza: boolean): node is XmlElement {
  if (typeof node === 'string' || (node.name !== 'div' && node.name !== 'p')) return false;
  return (isStanza || LINE.test(classOf(node))) && !holdsBlocks(node);
}

const holdsBlocks = (element: XmlElement): boolean =>
  elementsOf(element).some(({ name }) => BLOCKS.has(name) || BLOCK_TEXT.has(name));

export const isNote = (element: XmlElement, calls: ReadonlySet<string>): boolean =>
  calls.has(element.attributes.get('id') ?? '') && NOTE_TYPE.test(typeOf(element));

/**
 * Writes the body of an EPUB's document as HTML for the Markdown writer. Only known elements are written, and addresses
 * are those in the item.
 */
export function writeHtml(body: XmlElement, links: DocumentLinks): string {
  const calls = new Set(calledIds(body));
  let looks = 0;
  const isTooLarge = (cells: number): boolean => {
    if (looks + cells ** 2 > MOST_LOOKS) return true;
    looks += cells ** 2;
    return false;
  };
  const all = (nodes: readonly XmlNode[], isStanza = false): string => {
    const written: string[] = [];
    let lines: string[] = [];
    const end = (): void => {
      if (lines.length > 0) written.push(`<p>${lines.join('<br>')}</p>`);
      lines = [];
    };
    for (const node of nodes) {
      const isSpace = typeof node === 'string' && node.trim() === '';
      if (isLine(node, isStanza)) lines.push(all(node.children).trim());
      else if (!isSpace || lines.length === 0) {
        end();
        written.push(write(node));
      }
    }
    end();
    return written.join('');
  };

  const writeElement = (element: XmlElement): string => {
    const { name, attributes, children } = element;
    const id = attributes.get('id') ?? '';
    const type = typeOf(element);
    if (SILENT.has(name) || PAGE_TYPE.test(type) || BACK_TYPE.test(type)) return '';
    if (isNote(element, calls)) return `<div ${NOTE}="${noteName(id)}">${all(children)}</div>`;
    if (name === 'ol' && isListOfNotes(element, calls)) return all(children);
    const special = SPECIAL[name];
    if (special !== undefined) return special(element, { links, calls, isTooLarge, all });
    if (PLAIN.has(name)) return `<${name}${kept(element)}>${all(children)}</${name}>`;
    if (BLOCKS.has(name)) return `<div>${all(children, STANZA.test(classOf(element)))}</div>`;
    return LINE_NUMBER.test(classOf(element)) ? ` ${all(children)}` : all(children);
  };

  const write = (node: XmlNode): string => (typeof node === 'string' ? escapeHtml(node) : writeElement(node));
  return all(body.children);
}

type Writing = {
  readonly links: DocumentLinks;
  readonly calls: ReadonlySet<string>;
  /** Adds the cells of a table to the count of the document, and tells whether the table is too large. */
  readonly isTooLarge: (cells: number) => boolean;
  readonly all: (nodes: readonly XmlNode[]) => string;
};

const SPECIAL: Readonly<Record<string, (element: XmlElement, writing: Writing) => string>> = {
  a(element, { links, calls, all }) {
    const href = element.attributes.get('href') ?? '';
    const note = href.startsWith('#') ? href.slice(1) : '';
    // A link back from a note is left out, since the stall adds one itself.
    if (note !== '' && BACK_ARROW.test(xmlText(element))) return '';
    if (isCall(element, calls))
      return `<span ${NOTE_CALL}="${noteName(note)}">${escapeHtml(xmlText(element))}</span>`;
    const address = href === '' ? null : links.link(href);
    return address === null
      ? all(element.children)
      : `<a href="${escapeHtml(address)}">${all(element.children)}</a>`;
  },
  br: () => '<br>',
  hr: () => '<hr>',
  img: (element, { links }) => imageOf(element, element.attributes.get('src'), links),
  image: (element, { links }) => imageOf(element, element.attributes.get('href'), links),
  math: (element) => `<code>${escapeHtml(element.attributes.get('alttext') ?? lineOf(element))}</code>`,
  pre: (element) => {
    const language = languageOf(element);
    return `<pre><code${language === null ? '' : ` class="language-${language}"`}>${escapeHtml(codeOf(element))}</code></pre>`;
  },
  rt: (element) => escapeHtml(`(${xmlText(element).trim()})`),
  // The number of a note is written without `sup`, since the stall raises it itself.
  sup: ({ children }, { calls, all }) => {
    const shown = children.filter((child) => typeof child !== 'string' || child.trim() !== '');
    const isNote =
      shown.length > 0 && shown.every((child) => typeof child !== 'string' && isCall(child, calls));
    return isNote ? all(shown) : `<sup>${all(children)}</sup>`;
  },
  table: (element, { links, isTooLarge, all }) => {
    const rows = rowsOf(element);
    const cells = rows.flatMap((row) =>
      elementsOf(row).map((cell) => spanOf(cell, 'colspan') * spanOf(cell, 'rowspan')),
    );
    const captions = all(elementsOf(element).filter(({ name }) => name === 'caption'));
    if (!isTooLarge(cells.reduce((sum, spanned) => sum + spanned, 0)))
      return `<table>${captions}${filled(rows)
        .map((row) => `<tr>${all(row)}</tr>`)
        .join('')}</table>`;
    links.largeTable?.();
    return (
      captions +
      rows
        .map(
          (row) =>
            `<p>${elementsOf(row)
              .map(({ children }) => all(children))
              .join(' | ')}</p>`,
        )
        .join('')
    );
  },
  svg: (element, { all }) =>
    all(
      element.children.filter(
        (child) => typeof child !== 'string' && ['g', 'image', 'svg'].includes(child.name),
      ),
    ),
};

const BACK_ARROW = /^\s*[\u21a9\u21b5\u2191\u2190\u2934^][\ufe0e\ufe0f]?\s*$/;

const isCall = (element: XmlElement, calls: ReadonlySet<string>): boolean =>
  element.name === 'a' &&
  CALL_TYPE.test(typeOf(element)) &&
  calls.has((element.attributes.get('href') ?? '').slice(1));

function imageOf({ attributes }: XmlElement, src: string | undefined, links: DocumentLinks): string {
  const address = src === undefined ? null : links.image(src);
  const alt = attributes.get('alt') ?? '';
  return address === null ? escapeHtml(alt) : `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}">`;
}

function languageOf(pre: XmlElement): string | null {
  const inner = pre.children.find((child) => typeof child !== 'string' && child.name === 'code');
  const classes = [inner, pre]
    .map((one) => (typeof one === 'object' ? (one.attributes.get('class') ?? '') : ''))
    .join(' ');
  return /(?:^|\s)(?:language-|lang-|sourceCode\s+)([\w+#-]{1,30})/.exec(classes)?.[1] ?? null;
}

const codeOf = (node: XmlNode): string =>
  typeof node === 'string' ? node : node.name === 'br' ? '\n' : node.children.map(codeOf).join('');

const typeOf = ({ attributes }: XmlElement): string =>
  `${attributes.get('epub:type') ?? ''} ${attributes.get('role') ?? ''}`;

export function calledIds(element: XmlElement): readonly string[] {
  return [element, ...allBelow(element)].flatMap((one) => {
    const href = one.attributes.get('href') ?? '';
    return CALL_TYPE.test(typeOf(one)) && href.startsWith('#') ? [href.slice(1)] : [];
  });
}

function isListOfNotes(list: XmlElement, calls: ReadonlySet<string>): boolean {
  const rows = elementsOf(list);
  return rows.length > 0 && rows.every((row) => isNote(row, calls));
}

const noteName = (id: string): string => id.replace(/[^\w-]/g, '-');

const kept = ({ name, attributes }: XmlElement): string => {
  const start = attributes.get('start') ?? '';
  return name === 'ol' && START.test(start) ? ` start="${start}"` : '';
};

const spanOf = ({ attributes }: XmlElement, name: 'colspan' | 'rowspan'): number => {
  const text = attributes.get(name) ?? '';
  return SPAN.test(text) ? Math.max(1, Number(text)) : 1;
};

/** Lists the rows of a table, but not those of a table inside it. The cells of its head become `th`. */
const rowsOf = (element: XmlElement, isHead = false): readonly XmlElement[] =>
  elementsOf(element).flatMap((one) => {
    if (one.name !== 'tr')
      return /^t(?:head|body|foot)$/.test(one.name) ? rowsOf(one, one.name === 'thead') : [];
    return isHead ? [{ ...one, children: elementsOf(one).map((cell) => ({ ...cell, name: 'th' })) }] : [one];
  });

/** Returns the cells of each row, with empty cells where one cell spans several, which Markdown cannot express. */
function filled(rows: readonly XmlElement[]): readonly (readonly XmlElement[])[] {
  /** For each column, how many more rows are covered by a cell that spans rows. */
  const below: number[] = [];
  return rows.map((row) => {
    const cells: XmlElement[] = [];
    const skip = (): void => {
      for (; (below[cells.length] ?? 0) > 0; cells.push(BLANK)) below[cells.length]!--;
    };
    for (const cell of elementsOf(row)) {
      skip();
      for (let n = 0; n < spanOf(cell, 'colspan'); n++) {
        below[cells.length] = spanOf(cell, 'rowspan') - 1;
        cells.push(n === 0 ? cell : { ...BLANK, name: cell.name });
      }
    }
    skip();
    return cells;
  });
}

const BLANK: XmlElement = { name: 'td', attributes: new Map(), children: [] };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (unit) => `&#${unit.charCodeAt(0)};`);
}

/** Attributes that `writeHtml` sets on notes and on the references to them, as HTML has no element for either. */
const NOTE_CALL = 'data-note-call';
const NOTE = 'data-note';

export function createMarkdownWriter(): (html: string) => string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
    blankReplacement: (_, node) => (isBlock(node) ? '\n\n' : ''),
  });
  service.use(gfm);
  service.keep(['sup', 'sub', 'kbd', 'mark']);
  const escape = service.escape.bind(service);
  service.escape = (text) => ESCAPES.reduce((escaped, [mark, by]) => escaped.replace(mark, by), escape(text));
  service.addRule('note call', {
    filter: (node) => node.nodeName === 'SPAN' && node.hasAttribute(NOTE_CALL),
    replacement: (_, node) => `[^${attributeOf(node, NOTE_CALL)}]`,
  });
  service.addRule('note', {
    filter: (node) => node.nodeName === 'DIV' && node.hasAttribute(NOTE),
    replacement: (content, node) => {
      const text = content.trim().replace(/\n(?=[^\n])/g, '\n    ');
      return `\n\n[^${attributeOf(node, NOTE)}]: ${text}\n\n`;
    },
  });
  return (html) => `${service.turndown(html).trim()}\n`;
}

/**
 * Marks that Turndown does not escape: those of HTML, character references, and marks at the end of a text that begin a
 * block.
 */
const ESCAPES: readonly (readonly [mark: RegExp, by: string])[] = [
  [/</g, '\\<'],
  [/&(?=#?\w+;)/g, '\\&'],
  [/~(?=~)/g, '\\~'],
  [/^(#{1,6})(?=\s|$)/, '\\$1'],
  // Number signs at the end of a heading would be read as its closing marks.
  [/(\s)(#+\s*)$/, '$1\\$2'],
  [/^\+(?=\s|$)/, '\\+'],
  [/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2'],
];

const attributeOf = (node: unknown, name: string): string =>
  (node as { getAttribute(name: string): string | null }).getAttribute(name) ?? '';

const isBlock = (node: unknown): boolean => (node as { isBlock?: boolean }).isBlock === true;
