import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { diagnose, type Expected, expectFindings, healthyStall, serveStall } from './examined-stall.ts';
import { giveAway, program } from './ordinary-user.ts';
import { run } from './program.ts';

const CHECK = /^Run "bookstall check", which names every problem/;
const REINDEX = /"bookstall reindex"/;

function write(directory: string, files: Files): void {
  writeFiles(join(directory, 'content'), files);
  giveAway(directory);
}

const breakBook = (directory: string): void => write(directory, { 'books/free-book/.env': 'A=1\n' });
const reindex = (directory: string) => run(['reindex'], { cwd: directory, program });

describe('the content', () => {
  const emptied =
    'These changed since the content was loaded: books/archived-book, books/draft-book, books/free-book and 5 more';
  test.each<[string, (directory: string) => void, readonly Expected[], string[]?]>([
    [
      'is missing',
      (directory) => rmSync(join(directory, 'content'), { recursive: true }),
      [['content', 'fail', /^Cannot find the content directory "content"$/, /^Name another with --content/]],
    ],
    [
      'is empty',
      (directory) => {
        rmSync(join(directory, 'content'), { recursive: true });
        mkdirSync(join(directory, 'content'));
        giveAway(directory);
      },
      [
        ['content', 'warn', /^"content" has no items$/, /bookstall new book SLUG/],
        ['served items', 'warn', new RegExp(`^${emptied}$`), REINDEX],
      ],
    ],
    [
      'cannot be read',
      (directory) => chmodSync(join(directory, 'content'), 0),
      [
        [
          'content',
          'fail',
          /^Cannot read the content directory "content": /,
          /^Correct its permissions and links$/,
        ],
      ],
      ['sales'],
    ],
    [
      'has an unreadable file',
      (directory) => chmodSync(join(directory, 'content/books/free-book/01.md'), 0),
      [['content', 'fail', /^These cannot be served: books\/free-book$/, CHECK]],
    ],
    ['has an error', breakBook, [['content', 'fail', /^These cannot be served: books\/free-book$/, CHECK]]],
    [
      'has an error in stall.yaml',
      (directory) => write(directory, { 'stall.yaml': 'nome: x\n' }),
      [['content', 'fail', /^These cannot be served: stall\.yaml$/, CHECK]],
    ],
    [
      'changed',
      (directory) =>
        write(directory, {
          'books/free-book/02.md': '# More\n',
          'skills/new-skill/SKILL.md': skillMd('new-skill'),
          'skills/new-skill/item.yaml': itemYaml(),
        }),
      [['served items', 'warn', /: books\/free-book, skills\/new-skill$/, REINDEX]],
    ],
    [
      'lost an item',
      (directory) => rmSync(join(directory, 'content/books/free-book'), { recursive: true }),
      [['served items', 'warn', /: books\/free-book$/, REINDEX]],
    ],
  ])('%s', async (_, prepare, findings, skipped = []) => {
    const directory = healthyStall();
    prepare(directory);
    expectFindings(await diagnose(directory), findings, skipped);
  });

  test('has a warning alone', async () => {
    const directory = healthyStall();
    write(directory, {
      'skills/free-skill/SKILL.md': skillMd('free-skill').replace('\n---\n', '\ncolour: red\n---\n'),
    });
    await reindex(directory);
    expectFindings(await diagnose(directory), [
      ['content', 'warn', /^These have warnings: skills\/free-skill$/, CHECK],
    ]);
  });
});

describe('what is served', () => {
  test('is a last good edition', async () => {
    const directory = healthyStall();
    breakBook(directory);
    await reindex(directory);
    expectFindings(await diagnose(directory), [
      ['content', 'fail', /books\/free-book/, CHECK],
      ['served items', 'warn', /^These are served from their last good edition: books\/free-book$/, REINDEX],
    ]);
  });

  test('lacks an item that was never good', async () => {
    const directory = healthyStall();
    write(directory, { 'skills/new-skill/SKILL.md': skillMd('new-skill') });
    await reindex(directory);
    expectFindings(await diagnose(directory), [
      ['content', 'fail', /skills\/new-skill/, CHECK],
      ['served items', 'fail', /^These are not served: skills\/new-skill$/, REINDEX],
    ]);
  });

  test('is what was there before the content went', async () => {
    const directory = healthyStall();
    const { stop } = await serveStall(directory);
    rmSync(join(directory, 'content'), { recursive: true });
    await reindex(directory);
    expectFindings(await diagnose(directory), [
      ['content', 'fail', /^Cannot find the content directory/, /--content/],
      ['served items', 'warn', /is missing; its last good content continues to be served$/, REINDEX],
    ]);
    await stop();
  });

  test.each([
    ['is unknown where no report was kept', (file: string) => rmSync(file)],
    ['is unknown where the report is damaged', (file: string) => writeFileSync(file, '{')],
  ])('%s', async (_, damage) => {
    const directory = healthyStall();
    damage(join(directory, 'data/publication.json'));
    expectFindings(
      await diagnose(directory),
      [['served items', 'warn', /^No content was loaded yet$/, REINDEX]],
      ['stall.yaml'],
    );
  });
});

describe('kept editions', () => {
  const keep = async (directory: string): Promise<void> => {
    for (const version of ['1.1', '1.2']) {
      write(directory, {
        'skills/free-skill/item.yaml': itemYaml({ title: 'The free skill', version }),
        'skills/free-skill/SKILL.md': skillMd('free-skill', `Version ${version}.\n`),
      });
      if ((await reindex(directory)).code !== 0) throw new Error('Cannot reindex');
    }
  };
  const kept = (directory: string): string => join(directory, 'data/kept/artefacts');

  test('cost what the doctor says', async () => {
    const directory = healthyStall();
    const [before, , after] = [await diagnose(directory), await keep(directory), await diagnose(directory)];
    const said = ({ lines }: typeof before) =>
      lines.find(({ check }) => check === 'kept editions')?.sentence ?? '';
    expect([said(before), said(after)]).toEqual([
      'No superseded edition is kept',
      expect.stringMatching(/^2 archives of kept editions: \d+ B$/),
    ]);
    expectFindings(after, []);
  });

  test('without archives, as in a restored database, are named', async () => {
    const directory = healthyStall();
    await keep(directory);
    rmSync(kept(directory), { recursive: true });
    expectFindings(await diagnose(directory), [
      [
        'kept editions',
        'warn',
        /^2 kept editions of 2 lost their archives: free-skill [0-9a-f]{12}, free-skill 1\.1$/,
        /^If the database was restored from a backup, copy the folder "kept" of its old data directory to "data\/kept"; /,
      ],
    ]);
  });

  test('that the database does not know are counted', async () => {
    const directory = healthyStall();
    mkdirSync(join(kept(directory), 'ab'), { recursive: true });
    writeFileSync(join(kept(directory), 'ab', `${'ab'.repeat(32)}.tar`), 'of a newer database');
    giveAway(directory);
    expectFindings(await diagnose(directory), [
      [
        'kept editions',
        'warn',
        /^1 archive \(19 B\) in "data\/kept" belongs to no edition that is kept$/,
        /restore a newer backup, or delete it$/,
      ],
    ]);
  });
});
