// The checker of the house's plan: floors.test.ts runs it over src and over made-up violations.

/** Every room, ground floor first. A file imports from its own room and from lower floors; rooms of one floor never meet. */
export const FLOORS: readonly (readonly string[])[] = [
  ['log.ts', 'model-engines.ts', 'production.ts', 'refusal.ts', 'version.ts', 'worker.ts'],
  ['access', 'archive', 'budget', 'duration.ts', 'git', 'item', 'passages'],
  ['model-config.ts'],
  ['config.ts'],
  ['catalog', 'engines', 'search', 'store'],
  ['service'],
  ['client', 'http'],
  ['app.ts', 'compiler.ts'],
  ['cli'],
  ['main.ts', 'reader.ts'],
];

/** A Worker's file is started, not imported: the one way sideways. */
const STARTS: Readonly<Record<string, string>> = { 'app.ts': 'compiler.ts' };

/** Parts of http that never meet; what they share lies in http itself. */
const WINGS = ['agents', 'api', 'site'];

/** The rooms a package may live in; one that is not named here may live nowhere. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  '@anthropic-ai/sdk': ['engines'],
  '@modelcontextprotocol/sdk': ['http/agents'],
  '@sinclair/typebox': ['http'],
  '@zxcvbn-ts/language-common': ['service'],
  'bun:sqlite': ['search', 'store'],
  'csv-parse': ['service'],
  elysia: ['http'],
  'eventsource-parser': ['client', 'engines'],
  fflate: ['archive'],
  ignore: ['item'],
  'ipaddr.js': ['budget'],
  preact: ['http/site'],
  'preact-render-to-string': ['http/site'],
  'range-parser': ['http'],
  'sanitize-html': ['http/site'],
  yaml: ['item'],
};

/** Floor 1 is pure: of the runtime it may use what computes. */
const PURE = FLOORS[1] ?? [];
const PURE_BUILTINS = ['node:buffer', 'node:crypto', 'node:net', 'node:zlib'];

/** The files outside src that a file of src may import, as seen from src. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = { 'version.ts': ['../package.json'] };

const LONGEST = 250;
const EMPTY_NAMES = /(^|\/)(utils?|helpers?|common|shared|misc|types|index)(\.tsx?)?(\/|$)/;

const scanners = {
  ts: new Bun.Transpiler({ loader: 'ts' }),
  tsx: new Bun.Transpiler({ loader: 'tsx' }),
};

/** What Bun's scanner adds for JSX, whatever the configuration says; the build takes it from preact. */
const JSX_RUNTIME = /^react(\/|$)/;

/** Everything a file imports, re-exports, loads later or starts as a Worker; types too, which a transpiler forgets. */
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

/** Every way a file of src breaks the plan, in a sentence each; `path` is below src. */
export function violationsOf(path: string, source: string): readonly string[] {
  const imports = importsOf(source, loaderOf(path)).map((specifier) => importProblem(path, specifier));
  return [...imports, ...workerProblems(path, source), ...textProblems(path, source)].filter(
    (problem) => problem !== null,
  );
}

function importProblem(path: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return roomProblem(path, resolve(path, specifier));
  if (specifier === 'bun' || /^(node:|bun:(?!sqlite))/.test(specifier)) {
    const isFree = !PURE.includes(roomOf(path)) || PURE_BUILTINS.includes(specifier);
    return isFree ? null : `${path}: "${specifier}" does not belong on the pure floor`;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const homes = HOMES[name];
  if (homes === undefined) return `${path}: the package "${name}" has no home in the table`;
  return homes.some((home) => path.startsWith(`${home}/`))
    ? null
    : `${path}: "${name}" lives in ${homes.join(', ')}`;
}

function roomProblem(from: string, to: string, started = false): string | null {
  if (to.startsWith('../'))
    return OUTSIDE[from]?.includes(to) ? null : `${from}: ${to} is outside of the house`;
  const [here, there] = [roomOf(from), roomOf(to)];
  const [floor, lower] = [floorOf(here), floorOf(there)];
  if (floor === -1) return `${from}: the room "${here}" is not in the plan`;
  if (here === there) return wingProblem(from, to);
  if (lower !== -1 && (lower < floor || (started && STARTS[here] === there))) return null;
  return `${from}: floor ${floor} may not reach ${to} on floor ${lower}`;
}

function wingProblem(from: string, to: string): string | null {
  const [here, there] = [wingOf(from), wingOf(to)];
  return here !== null && there !== null && here !== there
    ? `${from}: the wings ${here} and ${there} never meet`
    : null;
}

function workerProblems(path: string, source: string): readonly (string | null)[] {
  const started = [...source.matchAll(/\bworkerUrl\(\s*'([^']+)'/g)].map(([, name = '']) => `${name}.ts`);
  const all = source.match(/\bnew Worker\(/g)?.length ?? 0;
  return [
    ...started.map((file) => roomProblem(path, file, true)),
    all === started.length ? null : `${path}: a Worker is not started as new Worker(workerUrl('…'))`,
  ];
}

function textProblems(path: string, source: string): readonly (string | null)[] {
  const lines = source.trimEnd().split('\n').length;
  return [
    lines > LONGEST ? `${path}: ${lines} lines, more than ${LONGEST}` : null,
    EMPTY_NAMES.test(path) ? `${path}: the name says nothing` : null,
    !FLOORS.at(-1)?.includes(path) && /\bprocess\s*\.\s*exit\b/.test(source)
      ? `${path}: only main.ts ends the process`
      : null,
    /(?:\bawait|\breturn|=>?)\s+import\s*\(\s*[^'"\s]/.test(source)
      ? `${path}: loads a file that cannot be read here`
      : null,
    ...(roomOf(path) === 'http' ? handlerProblems(path, source) : []),
  ];
}

const ROUTE =
  /\.(?:get|post|put|patch|delete|head|options|all|route|ws)\(\s*(?:['"`][^'"`]*['"`]|[A-Z_]+)\s*,\s*/g;
const HOOK = /\.(?:on[A-Z]\w+|derive|resolve|mapDerive|mapResolve|mapResponse|trace)\(\s*/g;
const PROPERTY =
  /\b(?:resolve|derive|beforeHandle|afterHandle|afterResponse|mapResponse|transform)\s*:\s*(?=[\w([])/g;
const ARROW = /^(?:async\s*)?\((?:[^().]|\.(?!\.\.))*\)\s*=>/;

/** Elysia reads the source of its functions: all that it calls is a literal arrow without rest parameters. */
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
const roomOf = (path: string): string => path.split('/')[0] ?? '';
const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));
const wingOf = (path: string): string | null =>
  WINGS.find((wing) => path.startsWith(`http/${wing}/`)) ?? null;
