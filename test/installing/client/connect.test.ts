// `bookstall connect` and `git-credential`, with git itself.
import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOrigin } from '../../../src/installing/client/git-credential.cli.ts';
import { CONNECT_AGENTS, CONNECT_NAMES } from '../../../src/catalog/connect.rule.ts';
import { buildProgram, PROGRAM, run } from '../../binary/program.ts';
import { openStall, temporaryDirectory } from '../../helpers/harness.ts';

const stall = await openStall();
const reader = await stall.reader('ann@example.org', 'paid-skill');
const MAIN = [PROGRAM];
await buildProgram();

async function openHome(isSignedIn = true) {
  const home = temporaryDirectory();
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const env = {
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
  const say = (...words: string[]) => run(words, { cwd, env, program: MAIN });
  const git = (...words: string[]) => run(words, { cwd, env, program: ['git'] });
  const shell = (line: string) => run(['-c', line], { cwd, env, program: ['sh'] });
  writeFileSync(join(home, 'key'), reader.key);
  const login = `login --url ${stall.url} --key-stdin < "${join(home, 'key')}"`;
  if (isSignedIn) expect((await shell(`'${MAIN.join("' '")}' ${login}`)).code).toBe(0);
  const ask = (input: string) => {
    writeFileSync(join(home, 'ask'), input);
    return shell(`'${MAIN.join("' '")}' git-credential get < "${join(home, 'ask')}"`);
  };
  return { home, cwd, say, git, ask };
}

describe('connect git', () => {
  test('lets git clone a paid item, keeps no key, and is undone', async () => {
    const { home, cwd, say, git } = await openHome();
    const clone = (into: string) => git('clone', '-q', `${stall.url}/git/paid-skill.git`, into);
    const helper = `credential.${stall.url}.helper`;
    expect((await clone('before')).code).not.toBe(0);
    expect(await say('connect', 'git', '--url', stall.url)).toMatchObject({ code: 0, err: '' });
    expect(await clone('after')).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, 'after/skills/paid-skill/SKILL.md'))).toBeTrue();
    for (const file of [join(home, '.gitconfig'), join(cwd, 'after/.git/config')])
      expect(readFileSync(file, 'utf8')).not.toContain('svc_');
    // The helper of 0.2.0 is replaced by one whose messages do not hide git's own.
    await git('config', '--global', '--replace-all', helper, `!'${MAIN.join("' '")}' git-credential`);
    const connected = await say('connect', 'git', '--url', stall.url);
    expect(connected).toMatchObject({ code: 0, err: '' });
    const signIns = join(home, '.config/bookstall/stalls.json');
    const saved = readFileSync(signIns);
    writeFileSync(signIns, 'damaged');
    const refused = await clone('refused');
    expect([refused.code, refused.err]).toEqual([128, expect.stringContaining('could not read Username')]);
    expect(refused.err).not.toContain('stalls.json');
    writeFileSync(signIns, saved);
    // The line that it named, whichever stall the client is of.
    const undo = /connect git --undo --url http:\S+(?=")/.exec(connected.out)?.[0] ?? '';
    expect(await say(...undo.split(' '))).toMatchObject({
      code: 0,
      out: expect.stringContaining('no longer'),
    });
    expect(readFileSync(join(home, '.gitconfig'), 'utf8')).not.toContain('bookstall');
    expect((await clone('undone')).code).not.toBe(0);
    expect((await say('connect', 'git', '--undo')).out).toContain('was not connected');
  });

  test('run twice is the same, and says if no key is kept', async () => {
    const { home, say, git } = await openHome(false);
    for (let n = 0; n < 2; n++) {
      const { code, err } = await say('connect', 'git', '--url', stall.url);
      expect([code, err]).toEqual([0, expect.stringContaining('No key is kept for it yet')]);
    }
    const helpers = await git('config', '--global', '--get-all', `credential.${stall.url}.helper`);
    expect(helpers.out.split('\n')).toHaveLength(3);
    expect(readFileSync(join(home, '.gitconfig'), 'utf8').match(/git-credential/g)).toHaveLength(1);
  });

  test("leaves a reader's own helper alone", async () => {
    const { say, git } = await openHome();
    await git('config', '--global', `credential.${stall.url}.helper`, 'store');
    const { code, err } = await say('connect', 'git', '--url', stall.url);
    expect([code, err]).toEqual([1, expect.stringContaining('has another helper')]);
    const kept = await git('config', '--global', '--get-all', `credential.${stall.url}.helper`);
    expect(kept.out).toBe('store\n');
    expect((await say('connect', 'git', '--undo', '--url', stall.url)).out).toContain('was not connected');
  });
});

describe('git-credential', () => {
  const { host } = new URL(stall.url);

  test('gives the key of its own stall alone', async () => {
    const { ask, say } = await openHome();
    const given = `username=bookstall\npassword=${reader.key}\n\n`;
    expect((await ask(`protocol=http\nhost=${host}\n\n`)).out).toBe(given);
    expect(
      (await ask(`capability[]=authtype\ncapability[]=state\nprotocol=http\nhost=${host}\nwwwauth[]=Basic\n`))
        .out,
    ).toBe(given);
    for (const input of [
      `protocol=https\nhost=${host}\n\n`,
      'protocol=http\nhost=evil.example\n\n',
      `protocol=http\nhost=${host}.evil.example\n\n`,
      `protocol=http\nhost=x@${host}\n\n`,
      `protocol=http\nhost=${host}/x\n\n`,
      `protocol=http\nhost=127.0.0.1\n\n`,
      // A line break inside a field.
      `protocol=http\nhost=evil.example\nhost=${host}\n\n`,
      `protocol=http\npath=a\nhost=${host}\nhost=evil.example\n\n`,
      `protocol=http\nhost=${host}\r\n\n`,
      `protocol=ftp\nhost=${host}\n\n`,
      `host=${host}\n\n`,
      `\nprotocol=http\nhost=${host}\n`,
      'protocol=http\nhost=__proto__\n\n',
      '',
      'x'.repeat(100_000),
    ])
      expect(await ask(input)).toMatchObject({ code: 0, out: '', err: '' });
    for (const operation of ['store', 'erase', 'other'])
      expect(await say('git-credential', operation)).toMatchObject({ code: 0, out: '', err: '' });
  });

  test.each([
    ['protocol=https\nhost=stall.example\n', 'https://stall.example'],
    ['protocol=https\nhost=Stall.Example:443\n', 'https://stall.example'],
    ['protocol=http\nhost=[::1]:7070\n', 'http://[::1]:7070'],
    ['protocol=https\nhost=stall.example\n\nhost=evil\n', 'https://stall.example'],
    ['protocol=https\nhost=a\0b\n', null],
    ['protocol=https\nhost=\n', null],
    ['nothing\n', null],
  ])('%j asks for %p', (text, origin) => {
    expect(readOrigin(text)).toBe(origin);
  });
});

describe('connect', () => {
  test.each(CONNECT_NAMES.filter((name) => name !== 'git'))(
    '%s prints its lines and changes nothing',
    async (name) => {
      const { home, say } = await openHome(false);
      const { code, out } = await say('connect', name, '--url', stall.url);
      expect(code).toBe(0);
      const json = JSON.parse((await say('connect', name, '--url', stall.url, '--json')).out);
      for (const { line } of json[0].steps) expect(out).toContain(`    ${line}\n`);
      expect(out).not.toMatch(/svc_|svi_/);
      expect(out).toContain(`${stall.url}/mcp`);
      // This program was not taken from the stall, and sends nobody to one that was.
      expect(out).not.toContain('client.tgz');
      // The things the lines need are among the lines above.
      const shelf = out.indexOf('/shelf.git');
      if (shelf >= 0)
        for (const needed of [' login --url', ' connect git --url'])
          expect(out.slice(0, shelf)).toContain(needed);
      expect(out).not.toContain('below');
      expect([...new Bun.Glob('**/*').scanSync({ cwd: home, dot: true })]).toEqual(['key']);
    },
  );

  test('without a name prints all; an unknown name is a usage error', async () => {
    const { say } = await openHome(false);
    const { out } = await say('connect', '--url', stall.url);
    for (const { title } of CONNECT_AGENTS) expect(out).toContain(`${title}\n`);
    expect(await say('connect', 'cluade', '--url', stall.url)).toMatchObject({
      code: 2,
      err: expect.stringContaining('claude'),
    });
    expect((await say('connect', 'codex', '--undo', '--url', stall.url)).code).toBe(2);
  });

  test('no line holds a key, and each is one physical line', () => {
    for (const link of [null, `${stall.url}/i/svi_x`])
      for (const { steps } of CONNECT_AGENTS)
        for (const { line, undo } of steps({ origin: stall.url, link, slug: 'tool' }))
          for (const text of [line, undo ?? ''])
            expect([text.includes('\n'), /svc_/.test(text)]).toEqual([false, false]);
  });

  test('lines of the skills program keep it from telling others', () => {
    const lines = CONNECT_AGENTS.flatMap(({ steps }) =>
      steps({ origin: 'https://x', link: null, slug: 's' }),
    );
    const skills = lines.filter(({ line }) => line.includes('skills add'));
    expect(skills.length).toBeGreaterThan(3);
    for (const { line } of skills) expect(line).toStartWith('DO_NOT_TRACK=1 npx --yes skills add https://x ');
  });
});
