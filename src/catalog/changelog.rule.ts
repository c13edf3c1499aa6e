import type { Manifest } from './item.rule.ts';
import { quote, warning, type Problem } from '../platform/base/problem.ts';

/** The maximum number of bytes that are read of a changelog; `LONGEST_CHANGES` is that of characters in one edition's notes. */
export const MAX_CHANGELOG = 1024 * 1024;
export const LONGEST_CHANGES = 4000;

const FILE = 'CHANGELOG.md';

type Section = {
  readonly level: number;
  readonly heading: string;
  readonly from: number;
  readonly to: number;
};

/**
 * Finds the publisher's notes on an edition: the changelog's section whose heading names the version, else `changes` in
 * item.yaml. They are Markdown, shortened to 4,000 characters; null if there are none.
 */
export function findNotes(
  { version, changes }: Pick<Manifest, 'version' | 'changes'>,
  changelog: string,
): string | null {
  const notes = (version !== null && sectionOf(changelog, version)) || changes;
  return notes === null ? null : cut(notes);
}

export function changelogProblems({ version }: Pick<Manifest, 'version'>, changelog: string): Problem[] {
  if (version === null) return [];
  const newest = findSections(changelog.split('\n')).find(({ heading }) => VERSION.test(heading));
  if (newest === undefined || holdsVersion(newest.heading, version)) return [];
  return [
    warning(
      'changelog-version',
      FILE,
      `The newest section of ${FILE} is ${quote(newest.heading)}, but the version is ${quote(version)}`,
      'Add a section for this version at the top, or correct "version" in item.yaml',
    ),
  ];
}

const VERSION = /(^|[^0-9A-Za-z.])v?\d+(\.\d+)+/;

function sectionOf(changelog: string, version: string): string | null {
  const lines = changelog.split('\n');
  const found = findSections(lines).find(({ heading }) => holdsVersion(heading, version));
  return found === undefined ? null : lines.slice(found.from, found.to).join('\n').trim() || null;
}

/**
 * Cuts a changelog into sections by their headings (ATX, outside of code fences); each ends at the next heading of its
 * level or above.
 */
function findSections(lines: readonly string[]): readonly Section[] {
  const headings: Omit<Section, 'to'>[] = [];
  let fence: string | null = null;
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    const [, signs = '', heading = ''] = (fence === null && /^ {0,3}(#{1,6})[ \t]+(.*)/.exec(line)) || [];
    if (signs !== '') headings.push({ level: signs.length, heading: heading.trim(), from: at + 1 });
  }
  // Going backwards, the next heading of each level is already known: the time grows only linearly with the headings.
  const ends = Array<number>(7).fill(lines.length);
  const sections = headings.toReversed().map((heading): Section => {
    const to = ends[heading.level] ?? lines.length;
    ends.fill(heading.from - 1, heading.level);
    return { ...heading, to };
  });
  return sections.toReversed();
}

/** Whether a heading names the version as a word of its own, also as `v1.2.0` or `[1.2.0]`. */
function holdsVersion(heading: string, version: string): boolean {
  if (version === '') return false;
  for (let at = heading.indexOf(version); at !== -1; at = heading.indexOf(version, at + 1)) {
    const before = heading.slice(0, at).replace(/v$/i, '').at(-1) ?? ' ';
    const after = heading.slice(at + version.length);
    if (!/[0-9A-Za-z.+-]/.test(before) && !/^[0-9A-Za-z+-]|^\.[0-9A-Za-z]/.test(after)) return true;
  }
  return false;
}

function cut(notes: string): string {
  const characters = [...notes.slice(0, 2 * LONGEST_CHANGES + 2)];
  return characters.length <= LONGEST_CHANGES
    ? characters.join('')
    : `${characters.slice(0, LONGEST_CHANGES - 1).join('')}…`;
}
