import { describe, expect, test } from 'bun:test';
import { parseManifest } from '../../src/catalog/manifest.rule.ts';
import { itemYaml } from '../helpers/harness.ts';

const parse = (aliases: string, kind: 'book' | 'skill' = 'book') =>
  parseManifest({
    kind,
    slug: 'heron',
    yaml: `${itemYaml(kind === 'book' ? { id: 'heron' } : {})}\naliases: ${aliases}\n`,
    skill: { name: 'heron', description: 'A heron.' },
  });

describe('aliases in item.yaml', () => {
  test('are words of readers with the words of the book, in lower case', () => {
    const { manifest, problems } = parse('{Internet: [network, Online], Büro: [office], 网络: [互联网]}');
    expect(problems).toEqual([]);
    expect(manifest?.aliases).toEqual({
      internet: ['network', 'online'],
      büro: ['office'],
      网络: ['互联网'],
    });
  });

  test('are empty if the key is missing', () => {
    const { manifest } = parseManifest({ kind: 'book', slug: 'heron', yaml: itemYaml({ id: 'heron' }) });
    expect(manifest?.aliases).toEqual({});
  });

  test.each([
    ['a list', '[internet]', 'not-a-mapping'],
    ['a text', 'internet', 'not-a-mapping'],
    ['a word without a list', '{internet: network}', 'not-a-list'],
    ['a phrase', '{internet: [on line]}', 'not-a-word'],
    ['a phrase as word', '{the internet: [network]}', 'not-a-word'],
    ['the same word twice', '{internet: [network], Internet: [online]}', 'repeated-entry'],
    ['the same alias twice', '{internet: [network, network]}', 'repeated-entry'],
    ['a word that is too long', `{${'x'.repeat(41)}: [network]}`, 'too-long'],
    [
      'too many aliases',
      `{internet: [${Array.from({ length: 11 }, (_, i) => `w${i}`).join(', ')}]}`,
      'too-many',
    ],
    ['too many words', `{${Array.from({ length: 201 }, (_, i) => `w${i}: [x]`).join(', ')}}`, 'too-many'],
  ])('are refused as %s', (_, aliases, code) => {
    const { manifest, problems } = parse(aliases);
    expect(manifest).toBeNull();
    expect(problems.map((problem) => problem.code)).toContain(code);
  });

  test('are unknown to a skill', () => {
    expect(parse('{internet: [network]}', 'skill').problems.map(({ code }) => code)).toContain('unknown-key');
  });
});
