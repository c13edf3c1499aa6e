import { describe, expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  type Stall,
  temporaryDirectory,
  writeFiles,
} from '../helpers/harness.ts';

const book = (slug: string, id: string, text = slug): Files => ({
  [`books/${slug}/item.yaml`]: itemYaml({ id }),
  [`books/${slug}/a.md`]: text,
});
const skill = (slug: string): Files => ({
  [`skills/${slug}/item.yaml`]: itemYaml(),
  [`skills/${slug}/SKILL.md`]: skillMd(slug),
});

function servedOf({ app }: Stall): string[] {
  return app.catalog().editions.map(({ manifest }) => `${manifest.kind} ${manifest.slug} ${manifest.id}`);
}

/** The slugs served after each step: first the files named, then those added, then a restart. */
async function steps(first: Files, then: Files) {
  const directory = temporaryDirectory();
  const stall = await openStall({ directory, files: first });
  const before = servedOf(stall);
  writeFiles(stall.content, then);
  const publications = await stall.app.publish();
  const after = servedOf(stall);
  await stall.app.publish();
  expect(servedOf(stall)).toEqual(after);
  await stall.close();
  const again = await openStall({ directory, files: {} });
  const restarted = servedOf(again);
  await again.close();
  const losers = publications.filter(({ problems }) => problems.some(({ code }) => code === 'clash'));
  return { before, after, restarted, losers: losers.map(({ kind, slug }) => `${kind} ${slug}`) };
}

describe('two items with one name', () => {
  test.each<[string, Files, Files, string[], string[]]>([
    [
      'a held book and a new skill of its slug',
      book('heron', 'one'),
      skill('heron'),
      ['book heron one'],
      ['skill heron'],
    ],
    [
      'a held skill and a new book of its slug',
      skill('heron'),
      book('heron', 'one'),
      ['skill heron null'],
      ['book heron'],
    ],
    [
      'a held book and a new one of its id',
      book('heron', 'one'),
      book('egret', 'one'),
      ['book heron one'],
      ['book egret'],
    ],
    [
      'a book and a skill of one slug, neither held',
      {},
      { ...book('heron', 'one'), ...skill('heron') },
      [],
      ['book heron', 'skill heron'],
    ],
    [
      'two books of one id, neither held',
      {},
      { ...book('heron', 'one'), ...book('egret', 'one') },
      [],
      ['book egret', 'book heron'],
    ],
    [
      'two books of one id, both held',
      { ...book('heron', 'one'), ...book('egret', 'two') },
      book('egret', 'one'),
      [],
      ['book egret', 'book heron'],
    ],
  ])('%s: the held one alone stays, also after a restart', async (_, first, then, expected, losers) => {
    const stork = book('stork', 'other');
    const outcome = await steps({ ...first, ...stork }, then);
    const served = [...expected, 'book stork other'];
    expect({ after: outcome.after, restarted: outcome.restarted }).toEqual({
      after: served,
      restarted: served,
    });
    expect(outcome.losers).toEqual(losers);
  });

  test('a book that was renamed keeps its id and is served: the old folder is gone', async () => {
    const stall = await openStall({ files: book('heron', 'one') });
    renameSync(join(stall.content, 'books/heron'), join(stall.content, 'books/egret'));
    await stall.app.publish();
    expect(servedOf(stall)).toEqual(['book egret one']);
  });

  test("a skill with the name of a book's id is not a conflict", async () => {
    const stall = await openStall({ files: { ...book('heron', 'egret'), ...skill('egret') } });
    expect(servedOf(stall)).toEqual(['skill egret null', 'book heron egret']);
  });

  test('both are served again without a compile after their conflict is resolved', async () => {
    const stall = await openStall({ files: { ...book('heron', 'one'), ...book('egret', 'two') } });
    const artefacts = stall.app.catalog().editions.map((edition) => edition.artefacts);
    writeFiles(stall.content, book('egret', 'one'));
    await stall.app.publish();
    expect(servedOf(stall)).toEqual([]);
    writeFiles(stall.content, book('egret', 'two'));
    await stall.app.publish();
    expect(stall.app.catalog().editions.map((edition) => edition.artefacts)).toEqual(artefacts);
  });

  test('one of two saved items that breaks has its last good edition again, during the conflict and after it', async () => {
    const stall = await openStall({ files: { ...book('heron', 'one'), ...book('egret', 'two') } });
    writeFiles(stall.content, book('egret', 'one'));
    await stall.app.publish();
    writeFiles(stall.content, { 'books/egret/item.yaml': 'broken' });
    await stall.app.publish();
    expect(servedOf(stall)).toEqual(['book egret two', 'book heron one']);
  });
});
