// Directives of the preprocessor `links`, https://rust-lang.github.io/mdBook/format/mdbook.html
import { resolveLink } from '../../item/link.ts';
import { cannotImport } from '../cannot-import.ts';
import type { Notes } from '../notes.ts';
import { refuseOutside } from '../source-folder.ts';
import { type LineRange, parseLineRange, takeLines } from './line-range.ts';

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
