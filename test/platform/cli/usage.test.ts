import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from '../../../src/platform/base/version.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { manPage, referenceChapter } from '../../../.ci/reference.ts';
import { PROGRAM } from '../../../src/commands.ts';
import { type } from './type.ts';

const HANDBOOK = join(import.meta.dir, '../../../content/books/handbook');
const COMMANDS = Object.values(PROGRAM.groups).flat();

describe('help', () => {
  test('alone shows six commands to begin with, and how to see all', async () => {
    const { code, out, err } = await type([]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toStartWith(`Bookstall ${VERSION}`);
    expect(out.match(/^ {2}\w.*$/gm)?.map((line) => line.split(/ {2,}/)[1])).toEqual([...PROGRAM.first]);
    expect(PROGRAM.first).toHaveLength(6);
    expect(out).toContain('"bookstall help" lists all commands');
  });

  test.each([[['--help']], [['-h']], [['help']], [['help', '--help']]])(
    '%j lists every command below its group',
    async (words) => {
      const { code, out, err } = await type(words);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      for (const [group, commands] of Object.entries(PROGRAM.groups)) {
        const [, section = ''] = out.split(`\n\n${group}\n`);
        const [lines = ''] = section.split('\n\n');
        expect(lines.split('\n')).toEqual(
          commands.map(({ name, summary }) => `  ${name.padEnd(16)}  ${summary}`),
        );
      }
    },
  );

  test.each([[['account', '--help']], [['help', 'account']]])(
    '%j lists the commands of one word',
    async (words) => {
      const { code, out } = await type(words);
      expect(code).toBe(0);
      expect(out).toContain('account add');
      expect(
        out
          .trimEnd()
          .split('\n')
          .filter((line) => !line.startsWith('  account ')),
      ).toEqual([]);
    },
  );

  test.each(['help sevre', 'account remvoe --help'])('%s is refused', async (line) => {
    const { code, out, err } = await type(line.split(' '));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Cannot run');
  });

  test('--version is one line on stdout', async () => {
    const out = `bookstall ${VERSION} (commit unknown, Bun ${Bun.version})\n`;
    expect(await type(['--version'])).toEqual({ code: 0, out, err: '' });
  });

  test('--version --json is one value', async () => {
    const { out } = await type(['--version', '--json']);
    expect(JSON.parse(out)).toEqual({ version: VERSION, commit: null, bun: Bun.version });
  });

  test.each(COMMANDS)(
    'of $name has a summary, a line for each flag, and examples, in 80 columns',
    async (command) => {
      const { name, options, examples } = command;
      const { code, out, err } = await type([...name.split(' '), '--help']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(await type(['help', ...name.split(' ')])).toEqual({ code, out, err });
      const [summary = '', blank, usage = ''] = out.split('\n');
      expect(summary).toMatch(/^[A-Z].*[^.]\.$/);
      expect(blank).toBe('');
      expect(usage).toStartWith(`  bookstall ${name}`);
      const lines = out.match(/^ {2}(?:-\w, )?--[\w-]+(?: \S+)?(?: …)? {2,}\S/gm) ?? [];
      expect(lines).toHaveLength(Object.keys(options).length);
      const [text = '', shown = ''] = out.split('\nExamples\n');
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      expect(shown).toBe(examples.map((line) => `  ${line}\n`).join(''));
      expect(examples.length).toBeGreaterThan(0);
    },
  );

  test('of serve names the variable and the default of a setting', async () => {
    const { out } = await type(['serve', '--help']);
    expect(out).toMatch(/^ {2}--port PORT +the port to listen on; 0 is any free one$/m);
    expect(out).toMatch(/^ +\(default 7070; BOOKSTALL_PORT\)$/m);
  });
});

/** The words of a line as a shell reads it, up to a redirection. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  const end = words.findIndex((word) => /^[<>]$/.test(word));
  return words.slice(0, end < 0 ? undefined : end).map((word) => word.replace(/['"]/g, ''));
}

/** The fault of a command line by the table of commands; null if it can be run. */
function faultOf(line: string): string | null {
  const [program, ...typed] = wordsOf(line);
  const command = COMMANDS.find(({ name }) => `${typed.join(' ')} `.startsWith(`${name} `));
  if (program !== 'bookstall' || command === undefined) return 'no command';
  const args = typed.slice(command.name.split(' ').length);
  try {
    const { positionals } = parseArgs({ args, options: command.options, allowPositionals: true });
    const [least, most] = command.words;
    return positionals.length >= least && positionals.length <= most ? null : 'words';
  } catch (error) {
    return String(error);
  }
}

describe('examples', () => {
  test.each(COMMANDS.flatMap(({ name, examples }) => examples.map((line) => [line, name] as const)))(
    '%s can be run',
    (line, name) => {
      expect(faultOf(line)).toBeNull();
      expect(line).toStartWith(`bookstall ${name}`);
    },
  );

  test.each(readdirSync(HANDBOOK).filter((name) => name.endsWith('.md')))(
    'in the chapter %s can be run',
    (name) => {
      const chapter = readFileSync(join(HANDBOOK, name), 'utf8');
      const blocks = [...chapter.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, block = '']) => block);
      const lines = blocks
        .flatMap((block) => block.split('\n'))
        .flatMap((line) => line.replace(/^\$ |\s(?:[|#]\s|\d?>).*/g, '').split(/&& |; /))
        .map((line) => line.trim().replace(/^(?:sudo |exec |\w+='?\S+ )+/, ''))
        .filter((line) => /^bookstall [a-z]/.test(line));
      expect(lines.map((line) => [line, faultOf(line)]).filter(([, fault]) => fault !== null)).toEqual([]);
    },
  );

  test.each([
    'bookstall chek',
    'bookstall check --lits',
    'bookstall uninstall',
    'bookstall init one two',
    'bookstall key create ada@example.org --name',
  ])('%s could not', (line) => {
    expect(faultOf(line)).not.toBeNull();
  });
});

describe('what is made of the table of commands', () => {
  test('the Handbook\'s chapter is not stale: "bun run reference" writes it', async () => {
    const chapter = Bun.file(join(import.meta.dir, '../../../content/books/handbook/4a-commands.md'));
    expect(await chapter.text()).toBe(referenceChapter());
  });

  const page = manPage('2026-11-23');

  test('the man page is ASCII, and has every command and flag', () => {
    expect(page).toMatch(/^[\n -~]+$/);
    expect(page.match(/^\.SS .*$/gm)).toHaveLength(COMMANDS.length);
    const flags = COMMANDS.flatMap(({ options }) => Object.keys(options));
    expect(page.match(/^\.B .*\\-\\-[a-z].*$/gm)).toHaveLength(flags.length);
  });

  test.skipIf(Bun.which('groff') === null)('groff has nothing to say against the man page', () => {
    const { stderr, stdout } = Bun.spawnSync(['groff', '-ww', '-man', '-Tascii'], {
      stdin: Buffer.from(page),
    });
    expect(stderr.toString()).toBe('');
    expect(stdout.length).toBeGreaterThan(page.length / 2);
  });
});

describe('usage errors end with 2, on stderr, and name the remedy', () => {
  test.each([
    ['sevre', 'bookstall --help'],
    ['ser', 'Did you mean "bookstall serve"?'],
    ['create', 'Did you mean "bookstall key create"?'],
    ['account', 'bookstall account add EMAIL'],
    ['account remvoe a@example.org', 'bookstall account disable EMAIL'],
    ['key create', 'Usage: bookstall key create EMAIL'],
    ['key create a@example.org b@example.org', '"b@example.org"'],
    ['grant add a@example.org', 'Usage: bookstall grant add EMAIL|@GROUP SLUG'],
    ['serve --prot 80', `Cannot run "serve": unknown option '--prot'`],
    ['serve --port', '--port'],
    ['check --list=yes', '--list'],
    ['new book', 'Usage: bookstall new book|skill SLUG'],
    ['init one two', '"two"'],
  ])('%s', async (line, remedy) => {
    const { code, out, err } = await type(line.split(' '));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(remedy);
    expect(err).not.toContain('Internal error');
  });

  test.each(['constructor', '__proto__', '', '-', '--', '--json'])('%j as a command', async (word) => {
    const { code, out, err } = await type([word]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('bookstall');
  });
});

test('a data directory that cannot be used is refused in a sentence', async () => {
  const data = join(temporaryDirectory(), 'a-file');
  writeFileSync(data, '');
  const { code, err } = await type(['serve', '--data', data]);
  expect(code).toBe(1);
  expect(err).toStartWith(`Cannot use "${data}" as the data directory: `);
});

test.each(['https://anna:secret@stall.example.org', 'https://anna:se cret@stall.example.org'])(
  'a password in the base URL (%s) is not repeated',
  async (url) => {
    const { code, out, err } = await type(['serve', '--data', temporaryDirectory(), '--base-url', url]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('as the base URL: give an origin');
    expect(err).not.toMatch(/anna|cret/);
  },
);

test('each flag that a command declares is read', () => {
  const src = join(import.meta.dir, '../../../src');
  const unread = [...new Bun.Glob('**/*{.cli,-command}.ts').scanSync(src)].flatMap((path) => {
    const source = readFileSync(join(src, path), 'utf8');
    const beside = [...source.matchAll(/ from '\.\/([\w-]+(?:\.cli|-command)\.ts)'/g)];
    const readers = beside
      .map(([, name = '']) => join(dirname(path), name))
      .concat('platform/config/config.ts');
    return [...source.matchAll(/^ +'(?:-\w, )?--([\w-]+)[^'\n]*':/gm)].flatMap(([, name]) =>
      [path, ...readers].some((one) => readFileSync(join(src, one), 'utf8').includes(`'${name}'`)) ||
      name === 'json'
        ? []
        : `${path}: --${name}`,
    );
  });
  expect(unread).toEqual([]);
});

test('a question is answered at a terminal alone, and not by what is piped in', async () => {
  const file = join(import.meta.dir, '../../../src/platform/cli/confirm.ts');
  const asks = `import { confirm } from ${JSON.stringify(file)};
    await confirm({ isTerminal: true, err: () => {} }, 'Go on?', 'nothing was done');`;
  const child = Bun.spawn([process.execPath, '-e', asks], { stdin: new Blob(['y\n']), stderr: 'pipe' });
  const said = await child.stderr.text();
  expect([await child.exited, said]).toEqual([1, expect.stringContaining('Stopped: nothing was done')]);
});
