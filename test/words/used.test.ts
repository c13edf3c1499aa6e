import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EN } from '../../src/words/en.ts';
import * as office from '../../src/words/en/office.ts';
import { OFFERED } from '../../src/words/words.ts';

const SRC = join(import.meta.dir, '../../src');

const TRANSLATED = new RegExp(
  `^words/(?:en\\.ts|en/office|(?:${OFFERED.filter((one) => one !== 'en').join('|')})[./])`,
);

/** Everything in src but the translations and what lists the words. English words that others use are used by these. */
const code = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SRC)]
  .filter((path) => !TRANSLATED.test(path))
  .map((path) => readFileSync(join(SRC, path), 'utf8'))
  .join('\n');

/** The paths of all messages. Tables whose keys are data, as the kinds of mails, end at the table. */
function pathsOf(value: object, path: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? pathsOf(one, [...path, key])
      : [[...path, key]],
  );
}

/** The names that code reads: after a dot, in a pattern, or as a text by which a table is read. A name before a colon is a definition. */
const read = new Set([
  ...Array.from(code.matchAll(/\.(\w+)|[{,\s'"](\w+)\b(?!\s*:)/g), ([, after, name]) => after ?? name),
  ...Array.from(code.matchAll(/\{([^{}]*)\} = /g), ([, names = '']) => names.match(/\w+/g) ?? []).flat(),
]);

/** Messages whose names data makes: tables by kinds and codes, and names that end alike. */
const BY_DATA =
  /^(?:refusals\.request\.titles|mail|account\.said|shop\.agents\.(?:clients|findings)|office\.(?:said|frame\.pages|audit\.actions|accounts\.purposes|mails\.\w+Names|itemForm\.(?:sections|fields|choices)|shopSettings\.(?:groups|fields|choices)|answerSettings\.(?:fields|engines)|backups\.often|order\.subscriptions|orderImport\.columns))\.|(?:account|address)Later$|(?:imprint|privacy|terms)At$/;

test('every message of the words is used', () => {
  const unused = [...pathsOf(EN), ...pathsOf({ office })]
    .filter((path) => !read.has(path.at(-1)))
    .map((path) => path.join('.'))
    .filter((path) => !BY_DATA.test(path));
  expect(unused).toEqual([]);
});
