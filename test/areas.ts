// The rules of areas: areas.test.ts holds src against them, and them against made-up violations.

/**
 * The areas of src by level, lowest first. An area is a first-level folder; the files beside them are the entries, above all
 * areas. A file imports from its own area and from lower levels; areas of one level never meet. The last level is the entries.
 */
export const LEVELS: readonly (readonly string[])[] = [
  ['words'],
  ['platform'],
  ['mailing'],
  ['catalog'],
  ['accounts'],
  ['reading'],
  ['asking', 'selling', 'installing'],
  ['publishing', 'shop', 'agents'],
  ['office'],
];

/** The kinds of files that a name tells, as in `order.sql.ts`. A file without a kind holds use cases. */
const KINDS = ['rule', 'sql', 'api', 'page', 'part', 'cli', 'browser', 'worker', 'area'];

/** The kinds of files that other areas import; a page places parts of any area. */
const EXPORTS = ['use', 'rule', 'part'];

/** The kinds of files in which a package may be used. */
const PACKAGE_KINDS: Readonly<Record<string, readonly string[]>> = {
  'bun:sqlite': ['sql'],
  elysia: ['api', 'page', 'area'],
  preact: ['page', 'part', 'browser'],
  'preact-render-to-string': ['page', 'part'],
};

/** The areas or folders in which a package may be used; a package that is not here may be used nowhere. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  '@anthropic-ai/sdk': ['asking/engines'],
  '@fastify/busboy': ['platform/http'],
  '@fontsource-variable/literata': ['platform/site'],
  '@fontsource-variable/source-code-pro': ['platform/site'],
  '@fontsource-variable/source-sans-3': ['platform/site'],
  '@fontsource/stix-two-math': ['platform/site'],
  '@joplin/turndown-plugin-gfm': ['publishing/manuscript'],
  '@modelcontextprotocol/server': ['agents/mcp'],
  '@sinclair/typebox': ['agents', 'platform/http'],
  '@zxcvbn-ts/language-common': ['accounts'],
  'bun:sqlite': ['asking/search', 'platform/store', 'writer.ts'],
  'csv-parse': ['platform/base'],
  elysia: [''],
  'eventsource-parser': ['asking/engines', 'installing/client'],
  fflate: ['catalog/archive'],
  'highlight.js': ['reading/markup'],
  htmlparser2: ['reading/markup'],
  ignore: ['catalog'],
  'ipaddr.js': ['platform/http'],
  isbot: ['shop'],
  mammoth: ['publishing/manuscript'],
  'markdown-it': ['reading/markup'],
  'markdown-it-footnote': ['reading/markup'],
  negotiator: ['platform/http'],
  'range-parser': ['platform/http'],
  fresh: ['platform/http'],
  nodemailer: ['mailing'],
  preact: [''],
  'preact-render-to-string': [''],
  saxes: ['publishing/manuscript'],
  semver: ['catalog', 'installing/client'],
  temml: ['reading/markup'],
  turndown: ['publishing/manuscript'],
  uqr: ['accounts'],
  yaml: ['catalog', 'platform/base'],
};

/** The modules of the runtime that rules may use: those that only compute. */
const PURE_BUILTINS = ['node:buffer', 'node:crypto', 'node:net', 'node:zlib'];

/** The files outside src that a file of src may import, as seen from src. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  'platform/base/version.ts': ['../package.json'],
  'publishing/new.cli.ts': [
    '../content/skills/write-questions/item.yaml',
    '../content/skills/write-questions/SKILL.md',
  ],
};

const LONGEST = 500;
const EMPTY_NAMES = /(^|\/)(utils?|helpers?|common|shared|misc|types|index)(\.tsx?)?(\/|$)/;

const scanners = {
  ts: new Bun.Transpiler({ loader: 'ts' }),
  tsx: new Bun.Transpiler({ loader: 'tsx' }),
};

/** Bun's scanner adds this import to JSX, whatever the configuration says; the build takes it from preact. */
const JSX_RUNTIME = /^react(\/|$)/;

/** Every file that a source imports, re-exports or loads later; types too, which a transpiler forgets. */
export function importsOf(source: string, loader: 'ts' | 'tsx' = 'ts'): readonly string[] {
  const texts = [
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
  ].flatMap((pattern) => [...source.matchAll(pattern)].map(([, path = '']) => path));
  const scanned = scanners[loader]
    .scanImports(source)
    .map(({ path }) => path)
    .filter((path) => !JSX_RUNTIME.test(path));
  return [...new Set([...scanned, ...texts])];
}

/** The files of src that a file imports, as pairs of both paths below src. */
export function edgesOf(path: string, source: string): readonly (readonly [from: string, to: string])[] {
  const local = importsOf(source, loaderOf(path)).filter((specifier) => specifier.startsWith('.'));
  return local.map((specifier) => [path, resolve(path, specifier)] as const);
}

/** The files of src that a file loads with itself: not those of types, nor what is loaded later. */
export function loadsOf(path: string, source: string): readonly string[] {
  return scanners[loaderOf(path)]
    .scanImports(source)
    .filter(({ path: to, kind }) => kind === 'import-statement' && /^\..*\.tsx?$/.test(to))
    .map(({ path: to }) => resolve(path, to));
}

/** Files that load each other, directly or through others: which of them runs first is chance. */
export function loadCirclesOf(loads: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const uses = new Map([...loads].map(([from, to]) => [from, new Set(to)]));
  // A file that loads nothing of what is left is in no circle.
  for (let before = -1; before !== uses.size;) {
    before = uses.size;
    for (const [file, to] of uses) if (![...to].some((one) => uses.has(one))) uses.delete(file);
  }
  return [...uses].flatMap(([file, to]) => ([...to].some((next) => wayBack(uses, [file, next])) ? file : []));
}

/** A way that leads on to its own beginning, if there is one. */
function wayBack(
  uses: ReadonlyMap<string, ReadonlySet<string>>,
  way: readonly string[],
): readonly string[] | null {
  const last = way.at(-1) ?? '';
  if (last === way[0]) return way;
  for (const next of uses.get(last) ?? []) {
    if (way.indexOf(next) > 0) continue;
    const found = wayBack(uses, [...way, next]);
    if (found !== null) return found;
  }
  return null;
}

/** Every way a file of src breaks the rules, in a sentence each; `path` is below src. */
export function violationsOf(path: string, source: string): readonly string[] {
  const imports = importsOf(source, loaderOf(path)).map((specifier) => importProblem(path, specifier));
  return [...imports, ...workerProblems(path, source), ...textProblems(path, source)].filter(
    (problem) => problem !== null,
  );
}

function importProblem(path: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return fileProblem(path, resolve(path, specifier));
  if (specifier === 'bun' || /^(node:|bun:(?!sqlite))/.test(specifier)) {
    const isFree = kindOf(path) !== 'rule' || PURE_BUILTINS.includes(specifier);
    return isFree ? null : `${path}: "${specifier}" does not belong in a rule`;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const homes = HOMES[name];
  if (homes === undefined) return `${path}: the package "${name}" has no home in the table`;
  const kinds = PACKAGE_KINDS[name];
  if (kinds !== undefined && !isGround(path) && !kinds.includes(kindOf(path)))
    return `${path}: "${name}" belongs in files of the kinds ${kinds.join(', ')}`;
  return homes.some((home) => home === '' || home === path || path.startsWith(`${home}/`))
    ? null
    : `${path}: "${name}" lives in ${homes.join(', ')}`;
}

/** Reports whether a file is of the platform, of the words or an entry: these need no kinds. */
const isGround = (path: string): boolean => ['platform', 'words', ENTRIES].includes(areaOf(path));

function fileProblem(from: string, to: string): string | null {
  if (to.startsWith('../')) return OUTSIDE[from]?.includes(to) ? null : `${from}: ${to} is outside of src`;
  const [here, there] = [areaOf(from), areaOf(to)];
  const [level, lower] = [levelOf(here), levelOf(there)];
  if (level === -1) return `${from}: "${here}" is no area`;
  const isPure = kindOf(from) !== 'rule' || isGround(from) || isGround(to) || isRule(to);
  if (!isPure) return `${from}: a rule imports rules alone, not ${to}`;
  if (here === there) return null;
  if (kindOf(from) === 'page' && kindOf(to) === 'part') return null;
  if (lower === -1 || lower >= level) return `${from}: level ${level} may not import ${to} of level ${lower}`;
  const isExported =
    EXPORTS.includes(kindOf(to)) || (kindOf(to) === 'sql' && kindOf(from) === 'sql') || here === ENTRIES;
  return isExported || isGround(to) ? null : `${from}: ${to} is none of what ${there} exports`;
}

/** Data, such as JSON, is as pure as a rule. */
const isRule = (path: string): boolean => kindOf(path) === 'rule' || !/\.tsx?$/.test(path);

function workerProblems(path: string, source: string): readonly (string | null)[] {
  const started = [...source.matchAll(/\bworkerUrl\(\s*'([^']+)'/g)].map(([, name = '']) => `${name}.ts`);
  const all = source.match(/\bnew Worker\(/g)?.length ?? 0;
  return [
    ...started.map((file) =>
      levelOf(areaOf(file)) > levelOf(areaOf(path)) && areaOf(file) !== ENTRIES
        ? `${path}: starts ${file} of a higher area`
        : null,
    ),
    all === started.length ? null : `${path}: a Worker is not started as new Worker(workerUrl('…'))`,
  ];
}

function textProblems(path: string, source: string): readonly (string | null)[] {
  const lines = source.trimEnd().split('\n').length;
  return [
    lines > LONGEST ? `${path}: ${lines} lines, more than ${LONGEST}` : null,
    EMPTY_NAMES.test(path) ? `${path}: the name says nothing` : null,
    !['main.ts', 'reader.ts'].includes(path) && /\bprocess\s*\.\s*exit\b/.test(source)
      ? `${path}: only main.ts ends the process`
      : null,
    /(?:\bawait|\breturn|=>?)\s+import\s*\(\s*[^'"\s]/.test(source)
      ? `${path}: loads a file that cannot be read here`
      : null,
    ...handlerProblems(path, source),
  ];
}

const ROUTE =
  /\.(?:get|post|put|patch|delete|head|options|all|route|ws)\(\s*(?:['"`][^'"`]*['"`]|[A-Z_]+)\s*,\s*/g;
const HOOK = /\.(?:on[A-Z]\w+|derive|resolve|mapDerive|mapResolve|mapResponse|trace)\(\s*/g;
const PROPERTY =
  /\b(?:resolve|derive|beforeHandle|afterHandle|afterResponse|mapResponse|transform)\s*:\s*(?=[\w([])/g;
const ARROW = /^(?:async\s*)?\((?:[^().]|\.(?!\.\.))*\)\s*=>/;

/** Elysia reads the source of its functions: each must be a literal arrow without rest parameters. */
function handlerProblems(path: string, source: string): readonly string[] {
  if (!importsOf(source, loaderOf(path)).includes('elysia')) return [];
  const called = [ROUTE, HOOK, PROPERTY].flatMap((pattern) => [...source.matchAll(pattern)]);
  const methods = [
    ...source.matchAll(/^\s*(?:async\s+)?(?:resolve|beforeHandle|transform)\s*\([^)]*\)\s*\{/gm),
  ];
  return [
    ...called.filter((match) => !ARROW.test(source.slice(match.index + match[0].length))),
    ...methods,
  ].map(([text]) => `${path}: the handler of ${text.trim()} is no literal arrow`);
}

function resolve(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const loaderOf = (path: string) => (path.endsWith('.tsx') ? 'tsx' : 'ts');

/** The name of the files beside the areas, in place of an area's. */
const ENTRIES = 'the entries';

const areaOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : ENTRIES);
const levelOf = (area: string): number =>
  area === ENTRIES ? LEVELS.length : LEVELS.findIndex((areas) => areas.includes(area));

/** The kind that a file's name tells; "use" if it tells none. */
function kindOf(path: string): string {
  const kind =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.tsx?$/, '')
      .split('.')
      .at(1) ?? '';
  return KINDS.includes(kind) ? kind : 'use';
}
