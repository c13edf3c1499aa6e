import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/version.ts';
import { temporaryDirectory } from '../harness.ts';
import { serveCommand } from '../../src/cli/stall/serve.ts';
import { type } from './type.ts';

/** The commands the overview lists, by name. */
const COMMANDS = [...(await type([])).out.matchAll(/^ {2}(\w+(?: \w+)?) {2,}\S.*$/gm)].map(
  ([, name = '']) => name,
);

describe('the overview', () => {
  test.each([[[]], [['--help']], [['help']]])('is shown by %j', async (words) => {
    const { code, out, err } = await type(words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const name of ['init', 'serve', 'check', 'new', 'account add', 'key create', 'grant import', 'logs'])
      expect(COMMANDS).toContain(name);
    expect(out).toStartWith(`Bookstall ${VERSION}`);
  });

  test('fits a terminal of 132 columns', async () => {
    const widths = (await type([])).out.split('\n').map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(132);
  });

  test('--version is one line on stdout', async () => {
    const out = `bookstall ${VERSION} (commit unknown, Bun ${Bun.version})\n`;
    expect(await type(['--version'])).toEqual({ code: 0, out, err: '' });
  });

  test('--version --json is one value', async () => {
    const { out } = await type(['--version', '--json']);
    expect(JSON.parse(out)).toEqual({ version: VERSION, commit: null, bun: Bun.version });
  });
});

test.each(COMMANDS)('%s --help gives a summary and every option of its synopsis', async (name) => {
  const { code, out, err } = await type([...name.split(' '), '--help']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [summary = '', blank, usage = ''] = out.split('\n');
  expect(summary).toMatch(/^[A-Z].*\.$/);
  expect(blank).toBe('');
  expect(usage).toStartWith(`  bookstall ${name}`);
});

test('serve --help has a line for each flag, with its variable and default', async () => {
  const { out } = await type(['serve', '--help']);
  expect(out).toMatch(/^  --port PORT +the port to listen on; 0 is any free one \(BOOKSTALL_PORT, 7070\)$/m);
  expect(out.match(/^  --[a-z-]+( \S+)?  +\S.*$/gm)).toHaveLength(Object.keys(serveCommand.options).length);
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
    ['grant add a@example.org', 'Usage: bookstall grant add EMAIL SLUG'],
    ['serve --prot 80', "'--prot'"],
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
