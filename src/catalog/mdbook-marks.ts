import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemKind } from '../item/item.ts';
import { isMarkdown } from '../item/markdown-path.ts';
import { type Problem, quote, warning } from '../item/problem.ts';

/** A mark that mdBook replaces: https://rust-lang.github.io/mdBook/format/mdbook.html */
const MARK = /\{\{\s*#(?:include|rustdoc_include|playground|title)\b/;

/** Warns of an mdBook that was copied as it is, if a chapter has a mark that only mdBook, and the import, resolves. */
export function mdbookMarkProblems(
  folder: string,
  kind: ItemKind,
  paths: readonly string[],
): readonly Problem[] {
  if (kind !== 'book' || !paths.includes('book.toml')) return [];
  const path = paths.find((one) => isMarkdown(one) && hasMark(join(folder, one)));
  if (path === undefined) return [];
  return [
    warning(
      'mdbook-marks',
      path,
      `${quote(path)} has marks of mdBook, such as "{{#include}}", which readers see as they are`,
      'Make the item with "bookstall import", which resolves them',
    ),
  ];
}

/** Whether a text has a mark; hashing reports one that cannot be read. */
function hasMark(path: string): boolean {
  try {
    return MARK.test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}
