import { compareText, counted } from '../platform/base/text.ts';
import { isMarkdown } from './path.rule.ts';
import { pictureOf } from './picture.rule.ts';
import { type Problem, warning } from '../platform/base/problem.ts';

/**
 * The version of the rules for facts, raised whenever the same file would give other facts. Facts of another version are
 * searched again when somebody asks for them.
 */
const FORMAT = 1;

/** The maximum number of places that are recorded of one kind of fact, in a file and in an item. */
const MOST_PLACES = 1000;

/**
 * The kinds of facts that are shown about an item's files: executable files, binary programs, hosts in URLs,
 * `allowed-tools` in SKILL.md, and hidden characters.
 */
export const FACTS = ['executable', 'program', 'host', 'tool', 'hidden'] as const;

type Fact = (typeof FACTS)[number];

/**
 * A place in a file where a fact was found. `what` is the format of a program, a host, a tool, or up to ten hidden
 * characters of a line, as `U+200B U+202E`.
 */
type Place = { readonly fact: Fact; readonly line: number | null; readonly what: string };

/**
 * The facts of one file, saved with its edition. `hidden` is the number of hidden characters. Keys without facts are left out.
 */
export type FileFacts = {
  readonly format: number;
  readonly kind: string;
  readonly language?: string;
  readonly hidden?: number;
  readonly places?: readonly Place[];
};

export const areCurrent = (facts: FileFacts | undefined): facts is FileFacts => facts?.format === FORMAT;

const LANGUAGES = {
  Python: 'py pyw python pypy uv',
  Shell: 'sh bash dash zsh ksh fish',
  JavaScript: 'js mjs cjs jsx node bun deno',
  TypeScript: 'ts mts cts tsx ts-node',
  PowerShell: 'ps1 psm1 pwsh',
  Batch: 'bat cmd',
  Ruby: 'rb ruby',
  Perl: 'pl pm perl',
  PHP: 'php',
  Lua: 'lua luajit',
  R: 'r rscript',
  AppleScript: 'applescript osascript',
  Jupyter: 'ipynb',
};
const languageOf = (name = ''): string | undefined =>
  Object.entries(LANGUAGES).find(([, names]) => names.split(' ').includes(name))?.[0];

/**
 * The first bytes of programs, in hex. A Java class and a Mach-O file for several processors begin alike, and differ in
 * the number that follows.
 */
const PROGRAMS = {
  ELF: /^7f454c46/,
  'Mach-O': /^(?:feedfac[ef]|c[ef]faedfe|cafebab[ef]000000[01])/,
  Java: /^cafebabe/,
  PE: /^4d5a(?:..)*?00/,
  WebAssembly: /^0061736d/,
  Dalvik: /^6465780a/,
  'object archive': /^213c617263683e0a/,
  'Python bytecode': /^....0d0a0[0-3]000000/,
};

const ARCHIVE = /\.(?:zip|tar|t?gz|bz2|xz|zst|7z|rar|jar|apk|whl|deb|rpm|dmg)$/i;
const DOCUMENT = /\.(?:pdf|epub|docx?|xlsx?|pptx?|od[tsp]|rtf)$/i;

type FactFinder = { readonly push: (bytes: Uint8Array) => void; readonly end: () => FileFacts };

/**
 * Finds the facts of a file in constant memory; `push` takes its bytes in order. A text is UTF-8, or UTF-16 with a byte
 * order mark. Markdown and scripts are read as texts whatever bytes they hold.
 */
export function createFactFinder(path: string): FactFinder {
  const authorities = new Map<string, number>();
  const lines = new Map<number, Set<string>>();
  let language = languageOf(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase());
  let program: string | undefined;
  let tools: readonly Place[] = [];
  let decoder: TextDecoder | null = null;
  let [held, line, hidden] = ['', 0, 0];

  const begin = (bytes: Uint8Array): void => {
    const start = Buffer.from(bytes.subarray(0, 1024));
    const hex = start.toString('hex');
    program = Object.entries(PROGRAMS).find(([, pattern]) => pattern.test(hex))?.[0];
    // A TypeScript file stays TypeScript, though its "#!" line may name Node or Bun.
    if (language !== 'TypeScript') language = interpreterIn(start.toString('latin1')) ?? language;
    const fatal = language === undefined && !isMarkdown(path);
    if (program === undefined)
      decoder = new TextDecoder(hex.startsWith('fffe') ? 'utf-16le' : 'utf-8', { fatal });
    line = 1;
  };

  const read = (bytes?: Uint8Array): void => {
    try {
      held += decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    } catch {
      decoder = null;
      return;
    }
    // Only whole lines are searched, so that no address is cut in two; only a line longer than a chunk may be cut.
    const cut = bytes === undefined ? held.length : held.lastIndexOf('\n') + 1 || held.length;
    const text = held.slice(0, cut);
    held = held.slice(cut);
    if (line === 1 && path === 'SKILL.md') tools = toolsIn(text);
    findAuthorities(text, line, authorities);
    const lineOf = createLineCount(text, line);
    for (const { index, name } of hiddenIn(text)) {
      hidden++;
      const names = lines.get(lineOf(index)) ?? new Set();
      if (names.size < 10 && lines.size < MOST_PLACES) lines.set(lineOf(index), names.add(name));
    }
    line = lineOf(text.length);
  };

  return {
    push(bytes: Uint8Array): void {
      if (line === 0 && bytes.length > 0) begin(bytes);
      if (decoder !== null) read(bytes);
    },
    end(): FileFacts {
      if (decoder !== null) read();
      const isText = decoder !== null || line === 0;
      const kind = kindOf(path, isText, language, program);
      const places = [
        ...(program === undefined ? [] : [{ fact: 'program', line: null, what: program } as const]),
        ...tools,
        ...(isText ? [...hostsOf(authorities), ...hiddenPlaces(lines)] : []),
      ];
      return {
        format: FORMAT,
        kind,
        ...(kind === 'script' && language !== undefined && { language }),
        ...(isText && hidden > 0 && { hidden }),
        ...(places.length > 0 && { places }),
      };
    },
  };
}

const hiddenPlaces = (lines: ReadonlyMap<number, ReadonlySet<string>>): readonly Place[] =>
  Array.from(lines, ([line, names]) => ({ fact: 'hidden', line, what: [...names].join(' ') }));

function kindOf(path: string, isText: boolean, language?: string, program?: string): string {
  if (program !== undefined) return 'program';
  if (language !== undefined) return 'script';
  if (isMarkdown(path)) return 'markdown';
  if (pictureOf(path)?.page === 'image') return 'image';
  if (DOCUMENT.test(path)) return 'document';
  if (ARCHIVE.test(path)) return 'archive';
  return isText ? 'text' : 'other';
}

function interpreterIn(head: string): string | undefined {
  const words = /^(?:\xef\xbb\xbf)?#![ \t]*(\/[^\r\n]*)/.exec(head)?.[1]?.split(/[ \t]+/) ?? [];
  const [first = '', ...others] = words.map((word) => word.slice(word.lastIndexOf('/') + 1));
  const name = first === 'env' ? others.find((one) => /^[^-=]+$/.test(one)) : first;
  const known = /^[\w+-]{1,20}?(?=[\d.]*$)/.exec(name?.toLowerCase() ?? '')?.[0];
  return languageOf(known) ?? known;
}

/**
 * Makes a function that returns the line number of an index in the text; the first line is `first`. Each call must have
 * an index at least as large as the last.
 */
function createLineCount(text: string, first: number): (index: number) => number {
  let [line, next] = [first, text.indexOf('\n')];
  return (index) => {
    for (; next !== -1 && next < index; next = text.indexOf('\n', next + 1)) line++;
    return line;
  };
}

const AUTHORITY = /\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}\p{M}._~:@%!$&*+={}-]{1,300}/iuy;

function findAuthorities(text: string, first: number, found: Map<string, number>): void {
  const lineOf = createLineCount(text, first);
  for (
    let at = text.indexOf('://');
    at !== -1 && found.size < MOST_PLACES;
    at = text.indexOf('://', at + 3)
  ) {
    AUTHORITY.lastIndex = at + 3;
    const [authority] = AUTHORITY.exec(text) ?? [];
    if (authority !== undefined && !found.has(authority) && /\w/.test(text[at - 1] ?? ''))
      found.set(authority, lineOf(at));
  }
}

/**
 * Returns the hosts in the authorities of URLs, such as `user@example.org:80`, as a browser reads them: IP addresses,
 * `localhost`, and names with a dot. Other names are placeholders and left out.
 */
function hostsOf(authorities: ReadonlyMap<string, number>): readonly Place[] {
  const hosts = new Map<string, number>();
  for (const [authority, line] of authorities) {
    const bare = /^.*[\p{L}\p{N}\]]/u.exec(authority.slice(authority.lastIndexOf('@') + 1))?.[0] ?? '';
    const url = `http://${bare}`;
    const host = URL.canParse(url) ? new URL(url).hostname : '';
    const isHost = /^(?:\[[0-9a-f:.]+\]|localhost|(?:[\w-]+\.)+[\w-]+)$/.test(host);
    if (isHost && !hosts.has(host)) hosts.set(host, line);
  }
  return Array.from(hosts, ([what, line]) => ({ fact: 'host', line, what }));
}

function toolsIn(text: string): readonly Place[] {
  const [, front = ''] = /^---[^\n]*\n(.*?)\n---/s.exec(text) ?? [];
  const [, value = ''] = /^["']?allowed-tools["']?[ \t]*:(.*(?:\n[ \t-].*)*)/m.exec(front) ?? [];
  const tools = value.replace(/(?:^|\s)#.*/g, '').match(/[\w*][\w*.:/-]*(?:\([^()\n]{0,200}\))?/g) ?? [];
  return [...new Set(tools)].slice(0, MOST_PLACES).map((what) => ({ fact: 'tool', line: null, what }));
}

/**
 * Matches characters that show nothing, such as directions, tags and zero widths:
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const scripts = (names: string): string => `[${names.replace(/\w+/g, '\\p{scx=$&}').replaceAll(' ', '')}]`;
const SPACELESS = scripts('Thai Laoo Khmr Mymr Tibt Java Bali');
const JOINING = scripts(
  'Arab Syrc Mand Nkoo Mong Phag Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Java Bali',
);

/**
 * Matches invisible characters in places where a text needs them, such as a soft hyphen, which shows where a word may be
 * divided.
 */
const NEEDED = new RegExp(
  [
    '\\u00AD',
    // In emoji: joiners between parts, the letters of regional flags, and the characters that select the look of an
    // emoji or a Han character.
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
    '(?<=\\u{1F3F4})[\\u{E0061}-\\u{E007A}]{2}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,4}\\u{E007F}',
    '(?<!\\p{Default_Ignorable_Code_Point})[\\uFE00-\\uFE0F]|(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]',
    // Joiners of letters, https://www.rfc-editor.org/rfc/rfc5892#appendix-A, and breaks between words in scripts without
    // blanks.
    `(?<=${JOINING})(?:\\u200D|\\u200C(?=${JOINING}))|(?<=${SPACELESS})\\u200B(?=${SPACELESS})`,
    '(?<=\\p{scx=Mong})[\\u180B-\\u180F]|(?<=\\p{M})\\u034F(?=\\p{M})',
    '\\u115F(?=[\\u1160-\\u11A7])|(?<=[\\u1100-\\u115F])\\u1160',
  ].join('|'),
  'uy',
);

function* hiddenIn(text: string) {
  IGNORABLE.lastIndex = 0;
  for (let found = IGNORABLE.exec(text); found !== null; found = IGNORABLE.exec(text)) {
    NEEDED.lastIndex = found.index;
    if (NEEDED.test(text)) IGNORABLE.lastIndex = NEEDED.lastIndex;
    else {
      const code = found[0].codePointAt(0) ?? 0;
      yield { index: found.index, name: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` };
    }
  }
}

export function hiddenProblems(path: string, facts: FileFacts | undefined): readonly Problem[] {
  const found = facts?.places?.filter(({ fact }) => fact === 'hidden') ?? [];
  if (found.length === 0) return [];
  const places = found.slice(0, 5).map(({ line, what }) => `${path}:${line} (${what})`);
  const sentence = `${counted(facts?.hidden ?? 0, 'hidden character')}: ${places.join(', ')}${found.length > 5 ? ', …' : ''}`;
  return [warning('hidden-characters', path, sentence, 'Remove them: agents read what people do not see')];
}

export type FileGroup = { readonly name: string; readonly files: number; readonly bytes: number };

/**
 * A summary of the facts about an item's files, without a judgement. `places` is null for people who may not read the
 * whole item.
 */
export type Inventory = {
  readonly files: number;
  readonly bytes: number;
  readonly kinds: readonly FileGroup[];
  readonly languages: readonly FileGroup[];
  readonly counts: Readonly<Record<Fact, number>>;
  readonly places: readonly (Place & { readonly path: string })[] | null;
};

type InventoryFile = {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
  readonly facts: FileFacts;
};

export function takeInventory(files: readonly InventoryFile[]): Inventory {
  const all = files.flatMap(({ path, executable, facts: { places = [] } }) => [
    ...(executable ? [{ fact: 'executable', path, line: null, what: '' } as const] : []),
    ...places.map((place) => ({ ...place, path })),
  ]);
  const placesOf = (fact: Fact) => all.filter((place) => place.fact === fact);
  const distinct = (fact: Fact): number => new Set(placesOf(fact).map(({ what }) => what)).size;
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    kinds: groupFiles(files, 'kind'),
    languages: groupFiles(files, 'language'),
    counts: {
      executable: placesOf('executable').length,
      program: placesOf('program').length,
      host: distinct('host'),
      tool: distinct('tool'),
      hidden: files.reduce((sum, { facts: { hidden = 0 } }) => sum + hidden, 0),
    },
    places: FACTS.flatMap((fact) => placesOf(fact).slice(0, MOST_PLACES)),
  };
}

function groupFiles(files: readonly InventoryFile[], by: 'kind' | 'language'): readonly FileGroup[] {
  const groups = new Map<string, FileGroup>();
  for (const { size, facts } of files) {
    const name = facts[by];
    const { files: count, bytes } = groups.get(name ?? '') ?? { files: 0, bytes: 0 };
    if (name !== undefined) groups.set(name, { name, files: count + 1, bytes: bytes + size });
  }
  return [...groups.values()].sort((a, b) => b.files - a.files || compareText(a.name, b.name));
}
