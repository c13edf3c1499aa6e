import { parseDocument, stringify } from 'yaml';
import type { Chapter } from './chapter.ts';

/** A value of item.yaml as it is written; null and empty lists are left out. */
type Value = string | number | null | readonly string[];

type Written = { readonly values: Readonly<Record<string, Value>>; readonly chapters: readonly Chapter[] };

/** A mapping of texts. */
type Entry = Readonly<Record<string, string>>;

const HEAD = '# Every key is explained in the Handbook, chapter "Content".\n';
const OPTIONS = { schema: 'failsafe', lineWidth: 0 } as const;

/** Writes an item.yaml with these values in their order, and chapters with their titles, levels and parts. */
export function writeItemYaml({ values, chapters }: Written): string {
  const given = Object.entries(values).flatMap(([key, value]) => {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : [[key, typeof value === 'number' ? String(value) : value] as const];
  });
  const listed = chapters.length === 0 ? {} : { chapters: entriesOf(chapters) };
  return HEAD + stringify({ ...Object.fromEntries(given), ...listed }, OPTIONS);
}

/** An item.yaml with other chapters; everything else, comments too, stays as it is. */
export function replaceChapters(yaml: string, chapters: readonly Chapter[]): string {
  const document = parseDocument(yaml, OPTIONS);
  if (chapters.length === 0) document.delete('chapters');
  else document.set('chapters', document.createNode(entriesOf(chapters)));
  return document.toString({ lineWidth: 0 });
}

function entriesOf(chapters: readonly Chapter[]): readonly Entry[] {
  let part: string | null = null;
  return chapters.flatMap(({ path, title, level, part: own }) => {
    const heading: readonly Entry[] = own === part ? [] : [own === null ? { end: 'part' } : { part: own }];
    part = own;
    const entry: Entry = {
      path,
      ...(title === null ? {} : { title }),
      ...(level === 1 ? {} : { level: String(level) }),
    };
    return [...heading, entry];
  });
}
