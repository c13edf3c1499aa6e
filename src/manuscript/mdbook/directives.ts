// Directives of the preprocessor `links`, https://rust-lang.github.io/mdBook/format/mdbook.html
import { resolveLink } from '../../item/link.ts';
import { cannotImport } from '../cannot-import.ts';
import type { Notes } from '../notes.ts';
import { refuseOutside } from '../source-folder.ts';

const DIRECTIVE = /\\\{\{#[^\n{}]*\}\}|\{\{\s*#([a-zA-Z0-9_]+)(?:\s+([^\s{}][^{}]*))?\}\}/g;
const DEEPEST = 8;

type Source = {
  /** The text of a file by its path from the folder of book.toml; null if there is none. */
  readonly text: (path: string) => string | null;
  readonly notes: Notes;
  /** The most characters that all chapters together may grow to. */
  readonly most: number;
};

type Place = {
  /** The file whose text is read, and those that include it. */
  readonly path: string;
  readonly above: readonly string[];
};

/** Makes a function that resolves the directives of a chapter; `path` is seen from the folder of book.toml. */
export function createDirectives({ text: textOf, notes, most }: Source) {
  let grown = 0;

  const include = (argument: string, place: Place): string | null => {
    const { path, range } = parseArgument(argument, place.path);
    refuseOutside(path, argument.trim(), place.path);
    const text = textOf(path);
    const taken = text === null ? null : takeLines(text, range);
    if (taken === null) {
      notes.lookAt(
        text === null ? 'Includes of files that are not there' : 'Includes of anchors that are not there',
        `${argument.trim()} (in ${place.path})`,
      );
      return null;
    }
    const above = [...place.above, place.path];
    if (above.includes(path) && taken.includes('{{')) throw loop([...above, path]);
    const inner = resolve(taken, { path, above });
    grown += inner.length;
    if (grown > most)
      throw cannotImport(place.path, `its includes grow to more than ${most} characters`, 'include less');
    return inner;
  };

  const replace = (name: string, argument: string, place: Place): string | null => {
    if (name === 'title') return '';
    if (name === 'include' || name === 'rustdoc_include') return include(argument, place);
    if (name !== 'playground' && name !== 'playpen') return null;
    const code = include(argument.trim().split(/\s+/)[0] ?? '', place);
    return code === null ? null : `\`\`\`rust\n${code}\n\`\`\``;
  };

  const resolve = (text: string, place: Place): string => {
    if (place.above.length > DEEPEST)
      throw cannotImport(
        place.above[0] ?? place.path,
        `its includes nest deeper than ${DEEPEST}`,
        'include the innermost file directly',
      );
    return text.replace(DIRECTIVE, (written: string, name: string | undefined, argument = '') => {
      // A backslash shows the directive itself.
      if (name === undefined) return written.slice(1);
      if (LINKS.has(name) && argument.trim() === '') return written;
      const replaced = replace(name, argument, place);
      if (replaced === null && !LINKS.has(name))
        notes.lookAt('Directives that mdBook itself does not know', `{{#${name}}} (in ${place.path})`);
      if (replaced !== null) notes.did(name === 'title' ? 'page titles left out' : 'includes resolved');
      return replaced ?? (LINKS.has(name) ? '' : written);
    });
  };

  return (path: string, text: string): string => resolve(text, { path, above: [] });
}

const LINKS = new Set(['include', 'rustdoc_include', 'playground', 'playpen']);

function parseArgument(argument: string, from: string): { path: string; range: LineRange } {
  const written = argument.trim();
  const colon = written.indexOf(':');
  const file = colon === -1 ? written : written.slice(0, colon);
  return {
    path: file.startsWith('/') ? file : resolveLink(file, from),
    range: parseLineRange(colon === -1 ? '' : written.slice(colon + 1)),
  };
}

function loop(paths: readonly string[]): Error {
  return cannotImport(
    paths.at(-1) ?? '',
    `its includes go round in a circle (${paths.slice(paths.indexOf(paths.at(-1) ?? '')).join(' -> ')})`,
    'remove one of them',
  );
}

// Ranges and anchors of an include, https://rust-lang.github.io/mdBook/format/mdbook.html#including-portions-of-a-file

/** The part of a file that an include names: all, lines (from 1, the end included), or an anchor. */
type LineRange = { readonly anchor: string } | { readonly first: number; readonly last: number | null };

/** Reads the part after the path: '' is the whole file, `2:10` lines, `setup` an anchor. */
function parseLineRange(text: string): LineRange {
  const [start = '', end] = text.split(':');
  if (start !== '' && !/^\d+$/.test(start)) return { anchor: start };
  const first = Math.max(1, Number(start || '1'));
  if (end === undefined) return { first, last: start === '' ? null : first };
  return { first, last: /^\d+$/.test(end) ? Number(end) : null };
}

const ANCHOR_END = /ANCHOR_END:\s*([\w_-]+)/;
const ANCHOR = /ANCHOR:\s*([\w_-]+)/;

/** The lines of a range, without those that mark anchors if an anchor is named; null if the text has no such anchor. */
function takeLines(text: string, range: LineRange): string | null {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if ('first' in range) return lines.slice(range.first - 1, range.last ?? undefined).join('\n');
  return takeAnchor(lines, range.anchor);
}

function takeAnchor(lines: readonly string[], anchor: string): string | null {
  const taken: string[] = [];
  let isInside = false;
  let isThere = false;
  for (const line of lines) {
    const end = ANCHOR_END.exec(line)?.[1];
    const start = end === undefined ? ANCHOR.exec(line)?.[1] : undefined;
    if (end === anchor) break;
    if (start === anchor) isInside = isThere = true;
    else if (isInside && end === undefined && start === undefined) taken.push(line);
  }
  return isThere ? taken.join('\n') : null;
}
