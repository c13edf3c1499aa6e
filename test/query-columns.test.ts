// TypeScript believes the row's type of a query, such as `db.all<Order>`; here the columns of each are held against it. A copy
// of each file, in which the type is checked to have these columns and no other, goes through the type checker. All other
// files are copied unchecked: to check them as well takes four times as long.

import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PROJECT = join(import.meta.dir, '..');

/** The tags of the statements that give rows. */
const READS = /(?:\.all|\.one|(?<!\.)\bquery)(?=<)/g;

type Sources = (path: string) => string;

/** Returns the end of the brackets, quotes or template that begin at `from`. */
function endOf(text: string, from: number): number {
  const open = text[from]!;
  const close = { '<': '>', '(': ')', '{': '}', '`': '`', "'": "'" }[open]!;
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === close && !(close === '>' && text[at - 1] === '=')) return at + 1;
    if (open === '`' ? text.startsWith('${', at) : "<({`'".includes(text[at]!) && open !== "'")
      at = endOf(text, open === '`' ? at + 1 : at) - 1;
  }
  throw new Error(`No end: ${text.slice(from, from + 80)}`);
}

/** Returns the SQL of the template at `from`, with the pieces that its placeholders name put in. */
function expand(text: string, from: number, path: string, sources: Sources): string {
  const template = text.slice(from + 1, endOf(text, from) - 1);
  let sql = '';
  for (let at = 0; at < template.length; at += 1) {
    if (!template.startsWith('${', at)) sql += template[at];
    else {
      const end = endOf(template, at + 1);
      sql += pieceOf(template.slice(at + 2, end - 1), path, sources);
      at = end - 1;
    }
  }
  return sql;
}

/** Returns the SQL of a piece such as `COLUMNS` or `pageOf('receipt')`; '?' for anything else. */
function pieceOf(expression: string, path: string, sources: Sources): string {
  const name = /^[\w$]+(?=$|\()/.exec(expression)?.[0];
  if (name === undefined) return '?';
  const source = sources(path);
  const definition = new RegExp(`^(?:export )?(?:const|function) ${name}\\b`, 'm').exec(source);
  if (definition === null) {
    const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '(\\.[^']+)'`).exec(source)?.[1];
    return from === undefined ? '?' : pieceOf(expression, join(dirname(path), from), sources);
  }
  const body = source.slice(definition.index).split(/\n(?=\S)(?![)}\]])/)[0]!;
  const columns = /= selected(?:<\w+>)?\((\w+)\)/.exec(body)?.[1];
  if (columns !== undefined) {
    const list = new RegExp(`^const ${columns}\\b[^=]*= \\{([^}]*)\\}`, 'm').exec(source)?.[1] ?? '';
    return [...list.matchAll(/(\w+):/g)].map(([, field]) => `x AS ${field}`).join(', ');
  }
  const at = body.indexOf('sql`');
  return at < 0 ? '?' : expand(body, at + 3, path, sources);
}

/** Returns the names of the columns that a statement gives. */
function columnsOf(sql: string): readonly string[] {
  let flat = '';
  let depth = 0;
  for (const char of sql) {
    if (char === ')') depth -= 1;
    flat += depth > 0 ? ' ' : char;
    if (char === '(') depth += 1;
  }
  const list =
    /(?:\bSELECT(?: DISTINCT)?|\bRETURNING)\b([^]*?)(?:\bFROM\b|\bWHERE\b|$)/.exec(flat)?.[1] ?? '';
  return list.split(',').flatMap((column) => {
    if (/\*\s*$/.test(column)) return columnsOf(sql.slice(sql.indexOf('FROM (') + 6));
    return /(\w+)"?\s*$/.exec(column)?.[1] ?? [];
  });
}

const CHECKED = '\ntype Checked<Row, Column extends keyof Row, Field extends Column> = Row;\n';

/** Returns a copy of a file in which each query's type is checked against its columns. */
function checked(path: string, sources: Sources): string {
  const source = sources(path);
  let copy = '';
  let done = 0;
  for (const { index, 0: read } of source.matchAll(READS)) {
    const [from, end] = [index + read.length, endOf(source, index + read.length)];
    const type = source.slice(from + 1, end - 1);
    const columns = columnsOf(expand(source, end, path, sources)).map((name) => `'${name}'`);
    copy += `${source.slice(done, from + 1)}Checked<${type}, ${columns.join(' | ') || 'string'}, keyof (${type})>`;
    done = end - 1;
  }
  return copy + source.slice(done) + CHECKED;
}

/** Returns what the type checker says of the files. */
function faultsOf(paths: readonly string[], sources: Sources): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'bookstall-queries-'));
  try {
    for (const path of paths) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      const copy = path.endsWith('.sql.ts') ? checked(path, sources) : `// @ts-nocheck\n${sources(path)}`;
      writeFileSync(join(folder, path), copy);
    }
    const compilerOptions = {
      rootDirs: [folder, PROJECT],
      typeRoots: [join(PROJECT, 'node_modules/@types')],
      noUnusedLocals: false,
      noUnusedParameters: false,
    };
    const config = {
      extends: join(PROJECT, 'tsconfig.json'),
      compilerOptions,
      include: ['src/**/*.sql.ts'],
      exclude: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = Bun.spawnSync([join(PROJECT, 'node_modules/.bin/tsc'), '-p', folder], { cwd: folder });
    return stdout.toString().match(/^src.*\n(?: .*\n)*/gm) ?? [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const MADE_UP = 'src/platform/store/made-up.sql.ts';
const WRONG = `import { sql, type Statements } from './statements.ts';
const COLUMNS = sql\`id, (SELECT max(a, b) FROM other) AS most\`;
export const madeUpReads = (db: Statements) => ({
  less: () => db.all<{ id: number; most: number; at: number }>\`SELECT \${COLUMNS} FROM made_up\`,
  more: () => db.one<{ id: number }>\`SELECT \${COLUMNS} FROM made_up\`,
});`;

test('the columns of each query are the fields of its type', () => {
  const sources = (path: string) => (path === MADE_UP ? WRONG : readFileSync(join(PROJECT, path), 'utf8'));
  const faults = faultsOf([...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(PROJECT), MADE_UP], sources);
  expect(faults.filter((fault) => !fault.startsWith(MADE_UP))).toEqual([]);
  expect(faults.map((fault) => /Type '"(\w+)"' is not assignable/.exec(fault)?.[1])).toEqual(['at', 'most']);
}, 120_000);
