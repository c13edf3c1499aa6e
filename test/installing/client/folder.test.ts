// File systems that interfere with an install: links on the way, edits at the same time, two programs at once, old stages.
import { afterAll, beforeEach, expect, test } from 'bun:test';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type } from '../../platform/cli/type.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { goodArchive } from './hostile-tar.ts';

const [first, second] = ['One\n', 'Two\n'].map((text) => goodArchive({ 'SKILL.md': text }));
let archive = first!;
let onAsked: () => void | Promise<void> = () => {};
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch() {
    const bytes = archive;
    await onAsked();
    return new Response(Buffer.from(bytes));
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  archive = first!;
  onAsked = () => {};
});

function openHome() {
  const sandbox = temporaryDirectory();
  const environment = {
    BOOKSTALL_URL: server.url.origin,
    BOOKSTALL_HOME: join(sandbox, 'home'),
    HOME: sandbox,
  };
  return { sandbox, say: (...words: readonly string[]) => type(words, environment) };
}

test('a folder that is reached by a link is one folder, from its first install to its last', async () => {
  const { sandbox, say } = openHome();
  mkdirSync(join(sandbox, 'dotfiles'));
  symlinkSync('dotfiles', join(sandbox, '.claude'));
  const user = ['--agent', 'claude', '-g'];
  for (const _ of [1, 2]) expect((await say('install', 'trap', ...user)).code).toBe(0);
  expect(JSON.parse((await say('list', '--json')).out)).toMatchObject([
    { folder: join(sandbox, 'dotfiles/skills/trap') },
  ]);
  archive = second!;
  expect((await say('update', 'trap', ...user)).out).toContain('Updated trap');
  expect((await say('uninstall', 'trap', '--dir', join(sandbox, '.claude/skills'))).code).toBe(0);
  expect(readdirSync(join(sandbox, 'dotfiles/skills'))).toEqual([]);
});

test('a file that is changed while the new edition comes is not lost', async () => {
  const { sandbox, say } = openHome();
  const target = join(sandbox, 'a');
  const file = join(target, 'trap/SKILL.md');
  expect((await say('install', 'trap', '--dir', target)).code).toBe(0);
  archive = second!;
  onAsked = () => appendFileSync(file, 'mine\n');
  const { code, err } = await say('update', 'trap');
  expect(code).toBe(1);
  expect(err).toContain('"SKILL.md" was changed');
  expect(readFileSync(file, 'utf8')).toBe('One\nmine\n');
  expect(readdirSync(target)).toEqual(['trap']);
});

test('two programs that install at once end with one whole folder, and no system words', async () => {
  for (let round = 0; round < 10; round++) {
    const { sandbox, say } = openHome();
    const target = join(sandbox, 'a');
    let waiting = 4;
    const { promise, resolve } = Promise.withResolvers<void>();
    onAsked = () => (--waiting === 0 ? resolve() : promise);
    const said = await Promise.all(Array.from({ length: 4 }, () => say('install', 'trap', '--dir', target)));
    expect(said.some(({ code }) => code === 0)).toBe(true);
    for (const { err } of said) expect(err).not.toMatch(/ENO|EEX|Internal/);
    expect(readdirSync(target)).toEqual(['trap']);
    expect((await say('verify')).out).toStartWith('ok ');
  }
});

test('a stage that a killed program left a day ago is removed; younger ones and foreign folders stay', async () => {
  const { sandbox, say } = openHome();
  const target = join(sandbox, 'a');
  const [old, young, other] = ['.bookstall-trap-aB3dE6', '.bookstall-trap-Ab3dE6', '.bookstall'];
  for (const name of [old, young, other]) mkdirSync(join(target, name, 'trap'), { recursive: true });
  writeFileSync(join(target, old, 'trap/x'), 'x');
  const yesterday = Date.now() / 1000 - 25 * 60 * 60;
  for (const name of [old, other]) utimesSync(join(target, name), yesterday, yesterday);
  expect((await say('install', 'trap', '--dir', target)).code).toBe(0);
  expect(readdirSync(target).toSorted()).toEqual([other, young, 'trap']);
});
