import { line, type Field } from './field.ts';
import { quote } from './problem.ts';
import type { YamlMap } from './strict-yaml.ts';

/** One step of a book's reading order; `title` is null if only the chapter's own heading names it. */
export type Chapter = { readonly path: string; readonly title: string | null };

/** A chapter: a path, or a mapping of `path` and `title`. */
export const chapter: Field<Chapter> = (value, key, report) => {
  if (!(value instanceof Map)) {
    const path = line(4096)(value, key, report);
    return path === null ? null : { path, title: null };
  }
  const entries: YamlMap = value;
  for (const name of entries.keys())
    if (name !== 'path' && name !== 'title')
      report(
        'unknown-key',
        `Cannot read ${quote(name)} in "${key}"`,
        'A chapter has the keys "path" and "title"',
      );
  const path = line(4096)(entries.get('path') ?? '', `${key}.path`, report);
  const title = entries.has('title') ? line(200)(entries.get('title') ?? '', `${key}.title`, report) : null;
  return path === null ? null : { path, title };
};
