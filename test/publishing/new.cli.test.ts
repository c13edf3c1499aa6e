import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultStallManifest, noDefaults } from '../../src/catalog/stall-manifest.rule.ts';
import type { Problem } from '../../src/platform/base/problem.ts';
import { openStall, skillMd, temporaryDirectory, until, writeFiles } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

/** A draft lacks what nobody but its publisher can say. */
const NO_PUBLISHER = {
  code: 'missing-key',
  severity: 'warning',
  sentence: 'The draft has no "publisher" yet',
};

describe('init', () => {
  test('makes a stall of three drafts, which can be served, and a private data directory', async () => {
    const directory = join(temporaryDirectory(), 'stall');
    const { code, out } = await type(['init', directory]);
    expect(code).toBe(0);
    expect(out).toContain(`cd ${directory} && bookstall serve`);
    expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700);
    const checked = await type(['check', '--content', join(directory, 'content'), '--json']);
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.out)).toMatchObject([
      { kind: 'stall', slug: 'stall.yaml', problems: [] },
      { kind: 'book', slug: 'example-book', problems: [NO_PUBLISHER] },
      { kind: 'skill', slug: 'example-skill', problems: [NO_PUBLISHER] },
      { kind: 'skill', slug: 'write-questions', problems: [] },
    ]);
    const stall = await openStall({ directory, files: {} });
    expect(await (await stall.fetch('/api/items')).json()).toEqual({ items: [], next: null });
    for (const path of ['books/example-book', 'skills/example-skill', 'skills/write-questions'])
      expect([path, (await stall.fetch(`/${path}`)).status]).toEqual([path, 404]);
    expect(await (await stall.fetch('/')).text()).not.toContain('xample');
  });

  test('writes a stall.yaml with every key as a comment, which is right once it is one no longer', async () => {
    const directory = join(temporaryDirectory(), 'stall');
    await type(['init', directory]);
    const file = join(directory, 'content/stall.yaml');
    const template = readFileSync(file, 'utf8');
    expect(template.split('\n').filter((line) => !/^(#|$)/.test(line))).toEqual([]);
    const keys = [...template.matchAll(/^#(\w+):/gm)].map(([, key = '']) => key);
    expect(keys.toSorted()).toEqual(Object.keys(defaultStallManifest).toSorted());
    const defaults = [...template.matchAll(/^# {2}(\w+):/gm)].map(([, key = '']) => key);
    expect([...defaults, 'requiredSigners'].toSorted()).toEqual(Object.keys(noDefaults).toSorted());
    writeFiles(join(directory, 'content'), {
      'stall.yaml': template.replaceAll(/^#(?=\S| {2,})/gm, ''),
      'stall/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
      'stall/terms.md': '# Terms\n',
      'stall/privacy.md': '# Privacy\n',
      'stall/imprint.md': '# Imprint\n',
    });
    for (const folder of ['books/example-book', 'skills/example-skill']) {
      const item = join(directory, 'content', folder, 'item.yaml');
      writeFileSync(item, readFileSync(item, 'utf8').replace('status: draft', 'status: published'));
    }
    const filledIn = await type(['check', '--content', join(directory, 'content'), '--json']);
    expect(JSON.parse(filledIn.out)[0].problems.map(({ sentence }: Problem) => sentence)).toEqual([]);
  });

  test('makes no account: a stall has only accounts that were added', async () => {
    const directory = join(temporaryDirectory(), 'stall');
    await type(['init', directory]);
    const stall = await openStall({ directory, files: {} });
    expect(stall.publications.length).toBeGreaterThan(0);
    expect(stall.app.admin.accounts.list()).toEqual([]);
  });

  test('is refused in a sentence if no directory can be made', async () => {
    const file = join(temporaryDirectory(), 'file');
    await Bun.write(file, 'x');
    const { code, err } = await type(['init', join(file, 'stall')]);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Cannot run "init": ENOTDIR: .*; check what it names, its permissions and free space\n$/,
    );
  });

  test('refuses a directory that has content, and changes nothing in it', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'content/books/mine/item.yaml': 'title: Mine\n' });
    const { code, out, err } = await type(['init', directory]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('it has a "content" folder already');
    expect(existsSync(join(directory, 'data'))).toBeFalse();
    expect([...new Bun.Glob('**/*').scanSync(directory)]).toEqual(['content/books/mine/item.yaml']);
  });

  test('--json gives the directories', async () => {
    const directory = join(temporaryDirectory(), 'stall');
    const { out } = await type(['init', directory, '--json']);
    expect(JSON.parse(out)).toEqual({ content: join(directory, 'content'), data: join(directory, 'data') });
  });
});

describe('new', () => {
  test('leaves out a publisher that the stall has', async () => {
    const content = join(temporaryDirectory(), 'content');
    writeFiles(content, { 'stall.yaml': 'name: A stall\ndefaults: {publisher: Quince Press}\n' });
    await type(['new', 'book', 'field-notes', '--free', '--content', content]);
    expect(readFileSync(join(content, 'books/field-notes/item.yaml'), 'utf8')).not.toContain('publisher');
  });

  test.each(['book', 'skill'])('%s makes a draft that can be served unchanged', async (kind) => {
    const content = join(temporaryDirectory(), 'content');
    const { code, out } = await type(['new', kind, 'field-notes', '--content', content, '--json']);
    expect(code).toBe(0);
    const folder = join(content, `${kind}s`, 'field-notes');
    expect(JSON.parse(out)).toEqual({ kind, slug: 'field-notes', folder });
    expect(readFileSync(join(folder, 'item.yaml'), 'utf8')).toMatch(/^status: draft$/m);
    const checked = await type(['check', '--content', content, '--json']);
    expect(checked.code).toBe(0);
    expect(JSON.parse(checked.out)).toMatchObject([{ kind, slug: 'field-notes', problems: [NO_PUBLISHER] }]);
  });

  test.each(['book', 'skill'])('%s publishes the words that it is given', async (kind) => {
    const content = join(temporaryDirectory(), 'content');
    const words = [
      '--publisher',
      'Quince: "Press"',
      '--description',
      "Where the birds are: it's at the tide.",
    ];
    const { code } = await type([
      'new',
      kind,
      'tides',
      '--free',
      '--publish',
      ...words,
      '--content',
      content,
    ]);
    expect(code).toBe(0);
    const stall = await openStall({ directory: join(content, '..'), files: {} });
    const { items } = (await (await stall.fetch('/api/items')).json()) as { items: unknown[] };
    expect(items).toMatchObject([{ kind, slug: 'tides', publisher: words[1], description: words[3] }]);
  });

  test.each([
    ['--publish', [], '', 'give --description and --publisher'],
    ['--announce', [], '', 'give --description and --publisher'],
    ['--publish', ['--publisher', 'Quince'], '', 'give --description'],
    ['--publish', ['--description', 'Birds.'], '', 'give --publisher'],
    ['--publish', ['--description', 'Birds.'], 'defaults: {publisher: Quince}\n', null],
  ] as const)(
    '%s with %j and the stall.yaml %j shows no reader the words of a template',
    async (flag, words, yaml, refusal) => {
      const content = join(temporaryDirectory(), 'content');
      writeFiles(content, { 'stall.yaml': yaml });
      const { code, err } = await type(['new', 'book', 'a', '--free', flag, ...words, '--content', content]);
      expect(code).toBe(refusal === null ? 0 : 2);
      expect(err).toContain(refusal ?? '');
      expect(existsSync(join(content, 'books'))).toBe(refusal === null);
    },
  );

  test('writes to BOOKSTALL_CONTENT, unless a flag overrides it', async () => {
    const [one, other] = [temporaryDirectory(), temporaryDirectory()];
    await type(['new', 'book', 'first'], { BOOKSTALL_CONTENT: one });
    await type(['new', 'book', 'second', '--content', other], { BOOKSTALL_CONTENT: one });
    expect(existsSync(join(one, 'books/first/item.yaml'))).toBeTrue();
    expect(existsSync(join(other, 'books/second/item.yaml'))).toBeTrue();
    expect(existsSync(join(one, 'books/second'))).toBeFalse();
  });

  test.each([
    '../escape',
    'Upper',
    'a/b',
    'two--dashes',
    '-dash',
    'con',
    'ünï',
    '',
    'a'.repeat(65),
    '.',
    'nul\0',
  ])('refuses the slug %j and writes nothing', async (slug) => {
    const content = join(temporaryDirectory(), 'content');
    const { code, out, err } = await type(['new', 'book', '--content', content, '--', slug]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toStartWith('Cannot ');
    expect(existsSync(content)).toBeFalse();
  });

  test('refuses another kind, and an item that is there', async () => {
    const content = temporaryDirectory();
    const song = await type(['new', 'song', 'a', '--content', content]);
    expect(song.code).toBe(2);
    expect(song.err).toContain('give book or skill');
    await type(['new', 'book', 'a', '--content', content]);
    writeFiles(content, { 'books/a/01.md': 'Mine\n' });
    const { code, err } = await type(['new', 'book', 'a', '--content', content]);
    expect(code).toBe(1);
    expect(err).toContain('it exists already');
  });
});

/** A command at a pseudo terminal: types each answer once its question is there; gives its end, its screen and item.yaml files. */
async function atTerminal(
  words: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
) {
  let [screen, read] = ['', 0];
  const decoder = new TextDecoder();
  const data = (_: Bun.Terminal, bytes: Uint8Array): void => void (screen += decoder.decode(bytes));
  const command = [process.execPath, join(import.meta.dir, '../../src/main.ts'), ...words];
  const program = Bun.spawn(command, { terminal: { cols: 200, rows: 50, data } });
  for (const [question, answer] of answers) {
    await until(() => screen.includes(question, read));
    read = screen.indexOf(question, read) + question.length;
    program.terminal?.write(answer);
  }
  const code = await program.exited;
  return { code, signal: program.signalCode, screen: screen.replaceAll('\r', '') };
}

const PRICE = 'Price, such as 19 or 19.00 USD (empty: free): ';
const PUBLISH = 'Publish now? [y/N] ';

describe('at a terminal', () => {
  const content = (): string => join(temporaryDirectory(), 'content');

  test.each([
    [
      'asks again after a wrong answer',
      [
        [PRICE, 'much\n'],
        [PRICE, '19,50\n'],
      ],
      1950,
    ],
    ['takes nothing for free', [[PRICE, '\n']], 0],
  ] as const)('new %s, and makes a draft', async (_, answers, cents) => {
    const directory = content();
    const { code, screen } = await atTerminal(['new', 'skill', 'a', '--content', directory], answers);
    expect({ code, questions: screen.split(PRICE).length - 1 }).toEqual({
      code: 0,
      questions: answers.length,
    });
    expect(screen).not.toContain(PUBLISH);
    const yaml = readFileSync(join(directory, 'skills/a/item.yaml'), 'utf8');
    expect(yaml).toContain(`\nunitAmountCents: ${cents}\ncurrency: usd\nstatus: draft\n`);
  });

  test.each([
    ['Ctrl-C', '\u0003', { code: 130, signal: 'SIGINT' }],
    ['Ctrl-D', '\u0004', { code: 1, signal: null }],
  ] as const)('%s leaves nothing behind, of new and of import', async (_, key, end) => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'skills/one/SKILL.md': skillMd('one'), 'content/stall.yaml': '' });
    const rest = ['--content', join(directory, 'content')];
    const [made, imported] = await Promise.all([
      atTerminal(['new', 'book', 'a', ...rest], [[PRICE, key]]),
      atTerminal(
        ['import', join(directory, 'skills'), ...rest],
        [
          [PRICE, '19\n'],
          [PUBLISH, key],
        ],
      ),
    ]);
    expect([made, imported]).toEqual([expect.objectContaining(end), expect.objectContaining(end)]);
    expect(
      new Set(
        new Bun.Glob('**/*').scanSync({ cwd: join(directory, 'content'), dot: true, onlyFiles: false }),
      ),
    ).toEqual(new Set(['stall.yaml']));
  });

  test('import of a book shows the description that it found before it asks to publish', async () => {
    const directory = temporaryDirectory();
    const opening = 'The grey heron stands on one leg, and this book tells the reader why it does.';
    writeFiles(directory, { 'fen/1.md': `# One\n\n${opening}\n`, 'content/stall.yaml': '' });
    const { screen } = await atTerminal(
      ['import', join(directory, 'fen'), '--content', join(directory, 'content')],
      [
        [PRICE, '19\n'],
        [PUBLISH, 'n\n'],
      ],
    );
    expect(screen.split(PRICE)[0]).toContain(opening);
  });

  test('import of several skills lists them, asks once, in the currency of the stall, and publishes all', async () => {
    const directory = temporaryDirectory();
    const names = ['one', 'two', 'three'];
    writeFiles(directory, {
      ...Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, skillMd(name)])),
      'content/stall.yaml': 'defaults: {currency: eur, publisher: Quince}\n',
    });
    const content = join(directory, 'content');
    const question = PRICE.replace('USD', 'EUR');
    const answers = [
      [question, '19 USD\n'],
      [question, '19,00 €\n'],
      [PUBLISH, 'yes\n'],
    ] as const;
    const { code, screen } = await atTerminal(
      ['import', join(directory, 'skills'), '--content', content],
      answers,
    );
    expect(code).toBe(0);
    const [list = '', ...rest] = screen.split(question);
    for (const name of names) expect(list).toContain(`Would make skills/${name}`);
    expect(rest.join('')).toContain('Next: run "bookstall serve", or "bookstall reindex" if it runs');
    const checked = await type(['check', '--content', content, '--json']);
    expect(JSON.parse(checked.out)).toMatchObject([
      { slug: 'stall.yaml' },
      ...names.toSorted().map((slug) => ({ slug, price: '€19', problems: [{ code: 'unsold' }] })),
    ]);
  });

  test('what the command line says, and --json, are not asked for', async () => {
    const directory = content();
    for (const [slug, ...flags] of [
      ['a', '--free'],
      ['b', '--price', '500', '--publish', '--publisher', 'Quince', '--description', 'Birds.'],
      ['c', '--json'],
      ['d', '--price', '500', '--announce', '--publisher', 'Quince', '--description', 'Birds.'],
    ] as const) {
      const { code, screen } = await atTerminal(['new', 'book', slug, '--content', directory, ...flags], []);
      expect({ code, isAsked: /Price|Publish/.test(screen) }).toEqual({ code: 0, isAsked: false });
    }
    expect(readFileSync(join(directory, 'books/b/item.yaml'), 'utf8')).toMatch(
      /: 500\ncurrency: usd\nstatus: published\n/,
    );
    expect(readFileSync(join(directory, 'books/d/item.yaml'), 'utf8')).toContain('\nstatus: announced\n');
  });

  test('an item that is there is refused before a question', async () => {
    const directory = content();
    await type(['new', 'book', 'a', '--content', directory]);
    const { code, screen } = await atTerminal(['new', 'book', 'a', '--content', directory], []);
    expect({ code, isAsked: screen.includes('Price') }).toEqual({ code: 1, isAsked: false });
  });
});

test.each([
  [['--publish'], 'Cannot publish without a price'],
  [['--announce'], 'Cannot publish without a price'],
  [['--free', '--announce', '--publish'], 'Cannot use --announce and --publish together'],
  [['--free', '--price', '1'], 'Cannot use --price and --free together'],
  [['--price', '19.00'], 'give whole minor units'],
])('new refuses %p', async (flags, reason) => {
  const content = join(temporaryDirectory(), 'content');
  const { code, err } = await type(['new', 'book', 'a', '--content', content, ...flags]);
  expect(code).toBe(2);
  expect(err).toContain(reason);
  expect(existsSync(content)).toBeFalse();
});
