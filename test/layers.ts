// The rules of layers and modules: layers.test.ts holds src against them, and them against made-up violations.

/**
 * The modules of each layer, lowest first. A module is a first-level folder or file of src. A file imports from its own
 * module and from lower layers; modules of one layer never import each other.
 */
export const LAYERS: readonly (readonly string[])[] = [
  [
    'alert.ts',
    'body-look.ts',
    'duration.ts',
    'garbage.ts',
    'log.ts',
    'looks.ts',
    'payment-provider.ts',
    'production.ts',
    'refusal.ts',
    'replace-file.ts',
    'runtime.ts',
    'text.ts',
    'turn.ts',
    'kept.ts',
    'version.ts',
  ],
  ['words'],
  ['access', 'archive', 'budget', 'cover', 'ebook', 'git', 'item', 'markup', 'passages', 'sales'],
  ['config'],
  ['catalog', 'engines', 'mail', 'manuscript', 'providers', 'search', 'store'],
  ['service'],
  ['client', 'http'],
  ['app.ts', 'renderer.ts'],
  ['cli'],
  ['main.ts', 'reader.ts'],
];

/** The files that use another file of their own layer. */
export const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'duration.ts': ['refusal.ts'],
};

/** A Worker's file is started, not imported, and may be on the same layer. */
export const STARTS: Readonly<Record<string, readonly string[]>> = {
  'app.ts': ['renderer.ts'],
};

/** The folders of these modules never import each other; code that they share is beside them. */
export const APART: readonly string[] = ['http'];

/** The folders of these modules in order, lowest first: each imports only from itself and from those before it. */
export const ORDER: Readonly<Record<string, readonly string[]>> = {
  service: ['publish', 'doctor'],
  store: ['migrations', 'tables'],
};

/** The modules or folders in which a package may be used; a package that is not here may be used nowhere. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  '@anthropic-ai/sdk': ['engines'],
  '@fastify/busboy': ['http'],
  '@fontsource-variable/literata': ['http/site'],
  '@fontsource-variable/source-code-pro': ['http/site'],
  '@fontsource-variable/source-sans-3': ['http/site'],
  '@fontsource/stix-two-math': ['http/site'],
  '@joplin/turndown-plugin-gfm': ['manuscript'],
  '@modelcontextprotocol/server': ['http/agents'],
  '@sinclair/typebox': ['http'],
  '@zxcvbn-ts/language-common': ['service'],
  'bun:sqlite': ['search', 'store'],
  'csv-parse': ['service'],
  elysia: ['http'],
  'eventsource-parser': ['client', 'engines'],
  fflate: ['archive'],
  'highlight.js': ['markup'],
  htmlparser2: ['markup'],
  ignore: ['item'],
  'ipaddr.js': ['budget'],
  isbot: ['http/site'],
  mammoth: ['manuscript'],
  'markdown-it': ['markup'],
  'markdown-it-footnote': ['markup'],
  negotiator: ['http'],
  nodemailer: ['mail'],
  preact: ['http/site'],
  'preact-render-to-string': ['http/site'],
  saxes: ['manuscript'],
  temml: ['markup'],
  turndown: ['manuscript'],
  uqr: ['http/site'],
  yaml: ['item'],
};

/** Pure modules do no I/O: of the runtime they use only what computes. */
const PURE: readonly string[] = [...(LAYERS[1] ?? []), ...(LAYERS[2] ?? []), 'duration.ts', 'refusal.ts'];
const PURE_BUILTINS = ['node:buffer', 'node:crypto', 'node:net', 'node:zlib'];

/** The files outside src that a file of src may import, as seen from src. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  'version.ts': ['../package.json'],
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

/** Folders side by side that use each other, directly or through others, as `store: copy -> database -> copy`. */
export function circlesOf(edges: readonly (readonly [from: string, to: string])[]): readonly string[] {
  const uses = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    const [here, there] = [from.split('/'), to.split('/')];
    const depth = here.findIndex((name, n) => name !== there[n]);
    // Only folders count, and only below a module; layers order the modules.
    if (depth < 1 || depth >= here.length - 1 || depth >= there.length - 1) continue;
    const folder = here.slice(0, depth + 1).join('/');
    uses.set(folder, (uses.get(folder) ?? new Set()).add(there.slice(0, depth + 1).join('/')));
  }
  return [...uses.keys()]
    .flatMap((folder) => [...(uses.get(folder) ?? [])].map((next) => wayBack(uses, [folder, next])))
    .filter((circle) => circle !== null)
    .map((circle) => circle.join(' -> '));
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
  if (specifier.startsWith('.')) return moduleProblem(path, resolve(path, specifier));
  if (specifier === 'bun' || /^(node:|bun:(?!sqlite))/.test(specifier)) {
    const isFree = !PURE.includes(moduleOf(path)) || PURE_BUILTINS.includes(specifier);
    return isFree ? null : `${path}: "${specifier}" does not belong in a pure module`;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const homes = HOMES[name];
  if (homes === undefined) return `${path}: the package "${name}" has no home in the table`;
  return homes.some((home) => path.startsWith(`${home}/`))
    ? null
    : `${path}: "${name}" lives in ${homes.join(', ')}`;
}

function moduleProblem(from: string, to: string, started = false): string | null {
  if (to.startsWith('../')) return OUTSIDE[from]?.includes(to) ? null : `${from}: ${to} is outside of src`;
  const [here, there] = [moduleOf(from), moduleOf(to)];
  const [layer, lower] = [layerOf(here), layerOf(there)];
  if (layer === -1) return `${from}: the module "${here}" is on no layer`;
  if (here === there) return apartProblem(from, to) ?? orderProblem(from, to);
  if (
    lower !== -1 &&
    (lower < layer || BESIDE[here]?.includes(there) || (started && STARTS[here]?.includes(there)))
  )
    return null;
  return `${from}: layer ${layer} may not import ${to} of layer ${lower}`;
}

function apartProblem(from: string, to: string): string | null {
  const [[module = '', here, ...inner], [, there, ...innermost]] = [from.split('/'), to.split('/')];
  const areFolders = inner.length > 0 && innermost.length > 0;
  return areFolders && here !== there && APART.includes(module)
    ? `${from}: ${module}/${here} and ${module}/${there} never import each other`
    : null;
}

function orderProblem(from: string, to: string): string | null {
  const [[module = '', here = '', ...inner], [, there = '', ...innermost]] = [from.split('/'), to.split('/')];
  const order = ORDER[module];
  if (order === undefined || innermost.length === 0) return null;
  const [own, lower] = [inner.length === 0 ? order.length : order.indexOf(here), order.indexOf(there)];
  if (own === -1) return `${from}: ${module}/${here} is not in the order of its module`;
  // A file beside the folders may assemble them all, and may lie below them: circlesOf looks after those.
  return lower <= own ? null : `${from}: ${module}/${here} comes before ${module}/${there}`;
}

function workerProblems(path: string, source: string): readonly (string | null)[] {
  const started = [...source.matchAll(/\bworkerUrl\(\s*'([^']+)'/g)].map(([, name = '']) => `${name}.ts`);
  const all = source.match(/\bnew Worker\(/g)?.length ?? 0;
  return [
    ...started.map((file) => moduleProblem(path, file, true)),
    all === started.length ? null : `${path}: a Worker is not started as new Worker(workerUrl('…'))`,
  ];
}

function textProblems(path: string, source: string): readonly (string | null)[] {
  const lines = source.trimEnd().split('\n').length;
  return [
    lines > LONGEST ? `${path}: ${lines} lines, more than ${LONGEST}` : null,
    EMPTY_NAMES.test(path) ? `${path}: the name says nothing` : null,
    !LAYERS.at(-1)?.includes(path) && /\bprocess\s*\.\s*exit\b/.test(source)
      ? `${path}: only main.ts ends the process`
      : null,
    /(?:\bawait|\breturn|=>?)\s+import\s*\(\s*[^'"\s]/.test(source)
      ? `${path}: loads a file that cannot be read here`
      : null,
    ...(moduleOf(path) === 'http' ? handlerProblems(path, source) : []),
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
const moduleOf = (path: string): string => path.split('/')[0] ?? '';
const layerOf = (module: string): number => LAYERS.findIndex((modules) => modules.includes(module));
