import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dir, '../src');

/** A literal behind what may stand before an expression, on one line. */
const LITERAL =
  /(?:^|[(,=:[!&|?{};>]|\breturn|\bcase)[^\S\n]*(\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\/[dgimsuvy]*)/gm;
const sources = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SRC)].map(
  (path) => [path, readFileSync(join(SRC, path), 'utf8')] as const,
);

/** The program's regular expressions that can repeat something without end, with the file each is in. */
export const found = new Map<string, { readonly path: string; readonly expression: RegExp }>();
const keep = (path: string, expression: RegExp): void => {
  if (/[*+]|\{\d+,\}/.test(expression.source)) found.set(String(expression), { path, expression });
};

for (const [path, source] of sources)
  for (const [, literal = ''] of source.matchAll(LITERAL)) {
    const end = literal.lastIndexOf('/');
    try {
      keep(path, new RegExp(literal.slice(1, end), literal.slice(end + 1)));
    } catch {
      // A path in a template, not an expression.
    }
  }

const Native = RegExp;
globalThis.RegExp = new Proxy(Native, {
  construct(target, given) {
    const expression = Reflect.construct(target, given) as RegExp;
    const [, path] = /\n[^\n]*\n[^\n]*\/src\/([\w./-]+)/.exec(new Error('').stack ?? '') ?? [];
    if (path !== undefined) keep(path, expression);
    return expression;
  },
});
for (const [path, source] of sources)
  if (source.includes('new RegExp(') && !path.includes('browser/')) await import(join(SRC, path));
const { definitionAsked } = await import('../src/asking/question-words.rule.ts');
definitionAsked('What is a heron?');
globalThis.RegExp = Native;
