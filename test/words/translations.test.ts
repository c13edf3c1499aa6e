import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSentences } from '../../src/words/answers.ts';
import { EN } from '../../src/words/en.ts';
import * as GERMAN from '../../src/words/de/office.ts';
import * as ENGLISH from '../../src/words/en/office.ts';
import { baseOf, OFFERED, wordsIn } from '../../src/words/words.ts';

const TRANSLATED = OFFERED.filter((one) => one !== 'en');

/**
 * A value for any field of a message: texts, numbers, lists and links are read from it without an error. `read` gets the names
 * of its own fields that are read, and `...` for the rest.
 */
const anything = (read = new Set<string>()): unknown =>
  new Proxy(() => {}, {
    get(_, key) {
      if (key === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 2 : '2');
      if (key === Symbol.iterator) return [].values.bind([]);
      read.add(String(key));
      return anything();
    },
    ownKeys: () => ['...'],
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
    apply: (_, __, [text]: readonly unknown[]) => text ?? '2',
  });

/** The texts of all messages, by path; a message that needs other values than `anything` is left out. */
function textsOf(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    try {
      return textsOf((value as (given: unknown) => unknown)(anything()), path);
    } catch {
      return [];
    }
  }
  if (Array.isArray(value)) return [[path, value.map(String).join('')]];
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) => textsOf(one, `${path}.${key}`))
    : [];
}

const isSentence = (text: string): boolean => (text.match(/\p{Ll}{2,}/gu)?.length ?? 0) > 3;

test.each(TRANSLATED)('no sentence of %p is left in English, and none is empty', (language) => {
  const english = new Map(textsOf(EN));
  const own = textsOf(wordsIn(language));
  expect(own.length).toBeGreaterThan(500);
  const same = own.filter(([path, text]) => isSentence(text) && english.get(path) === text);
  expect(same.map(([path, text]) => `${path}: ${text}`)).toEqual([]);
  const empty = own.filter(([path, text]) => text.trim() === '' && english.get(path)?.trim() !== '');
  expect(empty.map(([path]) => path)).toEqual([]);
});

/** The words of the office that are the same in English and in German. */
const SAME = new Set([
  'Code',
  'Downloads',
  'Import',
  'Logo',
  'Mail',
  'Mails',
  'Server',
  'Name',
  'Links',
  'Markdown',
  'Port',
  'Status',
  'STARTTLS: port 587',
  'Test',
  'Text',
  'Version',
  'Digest',
  'Cover',
]);

test('no word of the office is left in English, but for those that both languages have', () => {
  const english = new Map(textsOf(ENGLISH));
  const own = textsOf(GERMAN);
  expect(own.length).toBeGreaterThan(1000);
  const same = own.filter(
    ([path, text]) => /\p{L}{2}/u.test(text) && english.get(path) === text && !SAME.has(text),
  );
  expect(same.map(([path, text]) => `${path}: ${text}`)).toEqual([]);
});

/** The values that each message takes, by path: the names of the first one's fields, and the places of those without. */
function takenBy(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'function')
    return typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => takenBy(one, `${path}.${key}`))
      : [];
  const read = new Set<string>();
  const places = Array.from({ length: value.length }, (_, place) => String(place));
  try {
    value(anything(read), ...places.slice(1));
  } catch {
    // It read its values before it failed.
  }
  return [...read, ...places.slice(read.size === 0 ? 0 : 1)].map((name) => `${path} ${name}`);
}

/** The values that English takes and another language rightly leaves out. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // The same words tell of one author and of several.
  es: ['.shop.item.about count', '.shop.item.moreBy count'],
  'pt-BR': ['.shop.item.about count', '.shop.item.moreBy count'],
  ja: ['.shop.item.about count', '.shop.item.moreBy count'],
  'zh-Hans': ['.shop.item.about count', '.shop.item.moreBy count'],
  office: [
    // The same word tells of one item and of several.
    '.overview.served count',
    // These are English text.
    '.refusals.noGroup remedy',
    '.refusals.giveUnticked warning',
    '.refusals.notASlug slugInWords',
  ],
};

const PAIRS = [
  ...TRANSLATED.map((language) => {
    const [english, own] = [answerSentences('en'), answerSentences(language)];
    return [language, { ...EN, answers: english }, { ...wordsIn(language), answers: own }] as const;
  }),
  ['office', ENGLISH, GERMAN] as const,
];

test.each(PAIRS)('the sentences of %p take each value that the English ones take', (name, english, own) => {
  const taken = new Set(takenBy(own));
  const dropped = takenBy(english).filter((one) => !taken.has(one));
  // The findings' `sentence` is an English one.
  expect(dropped.filter((one) => !one.startsWith('.shop.agents.findings.'))).toEqual([
    ...(LEFT_OUT[name] ?? []),
  ]);
});

test('a language writes numbers, dates and the sentences of answers as its own, not as the one it was copied from', () => {
  for (const language of OFFERED) {
    const folder = join(import.meta.dir, '../../src/words', language);
    const texts = [...new Bun.Glob('**/*.ts').scanSync(folder)].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    );
    const named = texts.flatMap((text) =>
      Array.from(text.matchAll(/(?:formatsIn|answerSentences)\('([\w-]+)'\)/g), ([, tag = '']) => tag),
    );
    const bases = new Set([wordsIn(language).language, wordsIn(language).locale, ...named].map(baseOf));
    expect([language, [...bases]]).toEqual([language, [baseOf(language)]]);
  }
});
