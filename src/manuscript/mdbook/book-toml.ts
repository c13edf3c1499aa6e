// book.toml, https://rust-lang.github.io/mdBook/format/configuration/index.html
import { cannotImport } from '../cannot-import.ts';

/** The keys of book.toml that an import reads. */
export type BookToml = {
  readonly title: string | null;
  readonly description: string | null;
  readonly authors: readonly string[];
  readonly language: string | null;
  /** The folder of the chapters, relative to book.toml. */
  readonly src: string;
  /** Prefixes of hidden lines by the language of a code block; Rust's are always hidden. */
  readonly hiddenLines: ReadonlyMap<string, string>;
  readonly preprocessors: readonly string[];
  readonly redirects: number;
  readonly hasMath: boolean;
};

/** Keys of mdBook's own preprocessors. */
const OWN = new Set(['index', 'links']);

/** Reads book.toml; what it says in an unknown form is as good as not said. */
export function parseBookToml(text: string): BookToml {
  const toml = parse(text);
  const book = tableOf(toml, 'book');
  const output = tableOf(toml, 'output');
  const html = tableOf(output, 'html');
  const code = tableOf(tableOf(html, 'code'), 'hidelines');
  return {
    title: textOf(book['title']),
    description: textOf(book['description']),
    authors: Array.isArray(book['authors']) ? book['authors'].filter((one) => typeof one === 'string') : [],
    language: textOf(book['language']),
    src: textOf(book['src']) ?? 'src',
    hiddenLines: new Map(
      Object.entries(code).flatMap(([language, prefix]) =>
        typeof prefix === 'string' && prefix !== '' ? [[language, prefix] as const] : [],
      ),
    ),
    preprocessors: Object.keys(tableOf(toml, 'preprocessor')).filter((name) => !OWN.has(name)),
    redirects: Object.keys(tableOf(html, 'redirect')).length,
    hasMath: html['mathjax-support'] === true,
  };
}

type Table = Readonly<Record<string, unknown>>;

function parse(text: string): Table {
  try {
    return Bun.TOML.parse(text) as Table;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw cannotImport('book.toml', `it is not TOML (${reason})`, 'correct it');
  }
}

function tableOf(table: Table, key: string): Table {
  const value = table[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
