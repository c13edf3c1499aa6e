// A person's view at a terminal: the hidden prompt, and a bar for each download.
import { afterAll, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProgressBars } from '../../../src/installing/client/reader-command.ts';
import { buildProgram, PROGRAM } from '../../binary/program.ts';
import { openStall, temporaryDirectory } from '../../helpers/harness.ts';
import { goodArchive } from './hostile-tar.ts';
import { unpackClient } from './node-package.ts';
import { atTerminal } from './terminal.ts';

await buildProgram();
const stall = await openStall();
const reader = await stall.reader('ann@example.org');
const unpacked = await unpackClient(stall);

const NODE = ['node', join(unpacked, 'package/bookstall.mjs')];

// Of terminals alone the runtimes differ.
test.each([
  { name: 'the binary', program: [PROGRAM] },
  { name: 'the package under Node', program: NODE },
])('$name asks for the key, does not show it, and takes corrections', async ({ program }) => {
  const home = temporaryDirectory();
  const typed = `x\\x7f${reader.key}\\r`;
  const { code, shown } = await atTerminal(typed, 'not shown): ', [...program, 'login', '--url', stall.url], {
    SSH_CONNECTION: 'one',
    BOOKSTALL_HOME: home,
  });
  expect({ code, isShown: shown.includes(reader.key.slice(4)) }).toEqual({ code: 0, isShown: false });
  expect(shown).toContain('Signed in to');
  expect(readFileSync(join(home, 'stalls.json'), 'utf8')).toContain(reader.key);
});

test('Ctrl-C at the prompt saves nothing', async () => {
  const home = temporaryDirectory();
  const { code, shown } = await atTerminal('\\x03', 'not shown): ', [PROGRAM, 'login', '--url', stall.url], {
    SSH_CONNECTION: 'one',
    BOOKSTALL_HOME: home,
  });
  expect(code).toBe(1);
  expect(shown).toContain('Stopped: nothing was saved');
  expect(existsSync(join(home, 'stalls.json'))).toBeFalse();
});

test('opens the page of an item, and of a citation as it was printed', async () => {
  const [home, tools] = [temporaryDirectory(), temporaryDirectory()];
  const opened = join(home, 'opened');
  writeFileSync(join(tools, 'xdg-open'), '#!/bin/sh\nprintf %s "$*" > "$HOME/opened"\n', { mode: 0o755 });
  const env = {
    PATH: `${tools}:${process.env['PATH']}`,
    HOME: home,
    BOOKSTALL_URL: stall.url,
    BOOKSTALL_KEY: reader.key,
  };
  const open = async (address: string) => {
    const { code, shown } = await atTerminal('', '', [PROGRAM, 'open', address], env);
    expect({ code, shown: shown.trim() }).toMatchObject({ code: 0 });
    // The browser is not waited for.
    while (!existsSync(opened) || readFileSync(opened, 'utf8') === '') await Bun.sleep(10);
    const page = readFileSync(opened, 'utf8');
    rmSync(opened);
    expect(shown.trim()).toBe(page);
    return page;
  };
  expect(await open('free-book')).toBe(`${stall.url}/books/free-book`);
  const question = ['ask', 'free-book', 'Why does the grey heron stand on one leg?'];
  const { shown } = await atTerminal('', '', [PROGRAM, ...question], env);
  const [url = ''] = /http:\S+#mark/.exec(shown) ?? [];
  expect(await open(url)).toBe(url);
  const page = await (await stall.fetch(url.slice(stall.url.length))).text();
  expect(page).toContain('<mark id="mark">');
});

test.each([
  ['draws a bar while it downloads, and takes it away', {}, true],
  ['draws none in CI', { CI: 'true' }, false],
  ['draws none at a dumb terminal', { TERM: 'dumb' }, false],
])('%s', async (_, more, isDrawn) => {
  const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(90_000))).toString('base64');
  const archive = goodArchive({ 'SKILL.md': noise });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      const body = new ReadableStream({
        async start(controller) {
          for (let at = 0; at < archive.length; at += 20_000) {
            controller.enqueue(new Uint8Array(archive.subarray(at, at + 20_000)));
            await Bun.sleep(100);
          }
          controller.close();
        },
      });
      return new Response(body, { headers: { 'X-Archive-Length': String(archive.length) } });
    },
  });
  afterAll(() => server.stop(true));
  const env = { BOOKSTALL_HOME: temporaryDirectory(), BOOKSTALL_URL: server.url.origin, ...more };
  const { code, shown } = await atTerminal(
    '',
    '',
    [PROGRAM, 'install', 'trap', '--dir', temporaryDirectory()],
    env,
  );
  expect({ code, isDrawn: /trap {2,}\[#+\.+\] \d+ KB of \d+ KB/.test(shown) }).toEqual({
    code: 0,
    isDrawn,
  });
  // After the last bar is erased, only what is inside and the result are left.
  expect(shown.split('\u001b[J').at(-1)).toMatch(
    /^(?:"trap" (?:holds|names) [^\n]+\r\n)*Installed skill trap 1 in [^\n]+\r\n$/,
  );
});

test('several bars are drawn one below the other, with messages above them', () => {
  let shown = '';
  const err = (text: string): void => void (shown += text);
  const terminal = { err, out: err, isTerminal: true, isColoured: false, environment: {}, exit: () => {} };
  const bars = openProgressBars(terminal);
  const [one, two] = [bars.start('one'), bars.start('two\u001b[2J')];
  one.update(50, 100);
  two.update(1_000_000, 2_000_000);
  shown = '';
  bars.say('Hello');
  expect(shown).toStartWith('\u001b[1A\u001b[JHello\none ');
  expect(shown).toContain('\ntwo?[2J ');
  shown = '';
  bars.end();
  expect(shown).toBe('\u001b[2A\u001b[J');
});
