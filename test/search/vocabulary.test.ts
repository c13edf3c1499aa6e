import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Tokenizer } from '../../src/passages/words.ts';
import { tokenize } from '../../src/search/vocabulary.ts';
import { runs } from '../runs.ts';

const TEXTS = [
  'The Foxes were RUNNING; the fox’s dens ran hot. Generalizations, hopping and hopefulness.',
  'snake_case camelCase HTTP2 x1 3.14 1980s e-mail ... ___',
  'Café naïve Ångström œuvre Łódź, Việt Nam',
  'Она читала книги и читает книгу',
  'Ο φίλος μου, ΟΔΥΣΣΕΥΣ',
  'लड़के किताबें पढ़ते हैं',
  '字典 分割 的 词',
  'قطة و كلب',
  '𝒳𝒴 fox',
  '',
  'a ab abc',
];

/** SQLite's tokenizers, https://sqlite.org/fts5.html §4.3, which these tokens were spelled by before. */
const CLAUSES: Readonly<Record<Tokenizer, string>> = {
  porter: `porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'`,
  word: `unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'`,
  trigram: 'trigram remove_diacritics 1',
};

function tokensOfSqlite(text: string, tokenizer: Tokenizer): readonly string[] {
  using db = new Database(':memory:');
  db.run(`CREATE VIRTUAL TABLE own USING fts5(text, tokenize = "${CLAUSES[tokenizer]}")`);
  db.run('CREATE VIRTUAL TABLE token USING fts5vocab(own, instance)');
  db.prepare('INSERT INTO own VALUES (?)').run(text);
  return (db.query('SELECT term FROM token ORDER BY offset').values() as [string][]).map(([term]) => term);
}

describe('tokenize', () => {
  test.each(
    (['porter', 'word', 'trigram'] as const).flatMap((one) => TEXTS.map((text) => [one, text] as const)),
  )('spells as SQLite does: %s, %s', (tokenizer, text) => {
    expect(tokenize(text, tokenizer)).toEqual(
      tokensOfSqlite(text, tokenizer).map((token) => token.replaceAll('ς', 'σ')),
    );
  });

  test('spells any ASCII text as SQLite does', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        const plain = text.replaceAll('\0', ' ');
        for (const tokenizer of ['porter', 'word'] as const)
          expect(tokenize(plain, tokenizer)).toEqual(tokensOfSqlite(plain, tokenizer));
      }),
      { numRuns: runs(200) },
    );
  });

  test.each([
    ['composed and decomposed letters', 'Café', 'Cafe\u0301'],
    ['a final sigma', 'ΟΔΟΣ', 'οδος'],
    ['a Turkish capital', 'İstanbul', 'istanbul'],
  ])('spells %s alike', (_, one, other) => {
    expect(tokenize(one, 'word')).toEqual(tokenize(other, 'word'));
  });

  test('separates words at emoji', () => {
    expect(tokenize('fox🦊owl 🦊', 'word')).toEqual(['fox', 'owl']);
  });
});
