import { line, oneOf, type Field, type Report } from './field.ts';
import { quote } from './problem.ts';
import type { YamlMap } from './strict-yaml.ts';

/**
 * One step of a book's reading order; `title` is null until the chapter's text was read. `level` is 1 to 3; `part` is the
 * heading without a page above the chapter.
 */
export type Chapter = {
  readonly path: string;
  readonly title: string | null;
  readonly level: number;
  readonly part: string | null;
};

/** An entry of `chapters` in item.yaml: a page, or a heading without one; a null heading ends the part before it. */
export type ChapterEntry = Omit<Chapter, 'part'> | { readonly part: string | null };

const LEVELS = ['1', '2', '3'] as const;
const KEYS = ['path', 'title', 'level'];

/** A path, a mapping of `path`, `title` and `level`, or a mapping of `part` alone; `{end: part}` ends a part. */
export const chapter: Field<ChapterEntry> = (value, key, report) => {
  if (!(value instanceof Map)) {
    const path = line(4096)(value, key, report);
    return path === null ? null : { path, title: null, level: 1 };
  }
  if (value.has('end')) return readEnd(value, key, report);
  return value.has('part') ? readPart(value, key, report) : readPage(value, key, report);
};

/** The name of an entry: no page may be named twice; null if it may be repeated. */
export function nameOfEntry(entry: ChapterEntry): string | null {
  if (!('part' in entry)) return entry.path;
  return entry.part === null ? null : `part: ${entry.part}`;
}

function readEnd(entries: YamlMap, key: string, report: Report): ChapterEntry | null {
  reportUnknown(entries, ['end'], key, 'The end of a part has the key "end" alone', report);
  return oneOf(['part'])(entries.get('end') ?? '', `${key}.end`, report) === null ? null : { part: null };
}

function readPart(entries: YamlMap, key: string, report: Report): ChapterEntry | null {
  reportUnknown(entries, ['part'], key, 'A part has the key "part" alone', report);
  const part = line(200)(entries.get('part') ?? '', `${key}.part`, report);
  return part === null ? null : { part };
}

function readPage(entries: YamlMap, key: string, report: Report): ChapterEntry | null {
  reportUnknown(entries, KEYS, key, 'A chapter has the keys "path", "title" and "level"', report);
  const path = line(4096)(entries.get('path') ?? '', `${key}.path`, report);
  const title = entries.has('title') ? line(200)(entries.get('title') ?? '', `${key}.title`, report) : null;
  const level = entries.has('level')
    ? oneOf(LEVELS)(entries.get('level') ?? '', `${key}.level`, report)
    : '1';
  return path === null || level === null ? null : { path, title, level: Number(level) };
}

function reportUnknown(
  entries: YamlMap,
  known: readonly string[],
  key: string,
  remedy: string,
  report: Report,
): void {
  for (const name of entries.keys())
    if (!known.includes(name)) report('unknown-key', `Cannot read ${quote(name)} in "${key}"`, remedy);
}
