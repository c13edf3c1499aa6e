// `bookstall login` at a terminal, with a program in the browser's place that signs in and presses a button.
import { expect, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, PROGRAM } from '../../binary/program.ts';
import { openReader } from '../../agents/assistant.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { unpackClient } from './node-package.ts';
import { atTerminal } from './terminal.ts';

await buildProgram();
const reader = await openReader();
const { stall, account, cookie } = reader;
const NODE = ['node', join(await unpackClient(stall), 'package/bookstall.mjs')];

/** A browser that opens an address as the reader, presses `act` on the page, and follows. */
function browserThat(act: string, change = ''): string {
  const file = join(temporaryDirectory(), 'browser');
  writeFileSync(
    file,
    `#!${process.execPath}
const page = process.argv[2]${change};
const headers = { ...${JSON.stringify(cookie)}, 'Sec-Fetch-Site': 'same-origin' };
const html = await (await fetch(page, { headers })).text();
const field = (name) => new RegExp('name="' + name + '" value="([^"]*)"').exec(html)[1].replaceAll('&amp;', '&');
const body = new URLSearchParams({ request: field('request'), token: field('token'), act: '${act}' });
const answer = await fetch('${stall.url}/authorize', { method: 'POST', headers, body, redirect: 'manual' });
const back = new URL(answer.headers.get('location'));
// Others on this machine know no state.
const forged = await fetch(back.origin + '/callback?code=forged&state=x&iss=' + back.searchParams.get('iss'));
const after = await fetch(back);
await Bun.write('${file}.seen', JSON.stringify([forged.status, after.status, await after.text()]));
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const listKeys = () => stall.app.stall.store.listKeys('key', account.id);

test.each([
  { name: 'the binary', program: [PROGRAM] },
  { name: 'the package under Node', program: NODE },
])('$name signs in by the browser, with a key of its own', async ({ program }) => {
  const home = temporaryDirectory();
  const before = listKeys().length;
  const BROWSER = browserThat('connect');
  const { code, shown } = await atTerminal('', '', [...program, 'login', '--url', stall.url], {
    BOOKSTALL_HOME: home,
    BROWSER,
  });
  expect([code, shown]).toEqual([0, expect.stringContaining('Signed in to')]);
  expect(shown).not.toContain('svc_');
  const seen = JSON.parse(readFileSync(`${BROWSER}.seen`, 'utf8')) as unknown[];
  expect(seen).toEqual([404, 200, 'Signed in. You can close this page.\n']);
  expect(listKeys().length).toBe(before + 1);
  const saved = JSON.parse(readFileSync(join(home, 'stalls.json'), 'utf8')) as {
    stalls: Record<string, { key: string; email: string }>;
  };
  expect(saved.stalls[stall.url]).toEqual({ key: expect.stringMatching(/^svc_/), email: 'ada@example.org' });
});

test('a reader who does not connect is told so, and nothing is saved', async () => {
  const home = temporaryDirectory();
  const before = listKeys().length;
  const { code, shown } = await atTerminal('', '', [PROGRAM, 'login', '--url', stall.url], {
    BOOKSTALL_HOME: home,
    BROWSER: browserThat('refuse'),
  });
  expect([code, shown]).toEqual([1, expect.stringContaining('you did not connect')]);
  expect([existsSync(join(home, 'stalls.json')), listKeys().length]).toEqual([false, before]);
});

test('Ctrl-C ends the wait', async () => {
  const { code, shown } = await atTerminal('\\x03', 'go to', [PROGRAM, 'login', '--url', stall.url], {
    BOOKSTALL_HOME: temporaryDirectory(),
    BROWSER: '/nowhere',
  });
  expect([code, shown]).toEqual([1, expect.stringContaining('Stopped')]);
});
