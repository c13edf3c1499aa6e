import { expect } from 'bun:test';
import { join } from 'node:path';
import { openRelease } from '../../.ci/release/site.ts';
import { version } from '../../package.json';
import { temporaryDirectory } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';

const directory = temporaryDirectory();
const { add, finish } = openRelease(directory);
for (const path of [
  `bookstall_${version}_amd64.deb`,
  `bookstall-${version}-linux-x64.tar.gz`,
  `bookstall-${version}-windows-x64.zip`,
  `npm/bookstall-linux-x64-${version}.tgz`,
])
  add(path, new Uint8Array(1_200_000));
finish();
const page = await Bun.file(join(directory, 'index.html')).text();
const site = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response(page, { headers: { 'Content-Type': 'text/html' } }),
});

testPages.each([
  [
    'puts its own address into its lines, where no shell runs what is in it',
    true,
    `"${site.url.origin}/a/%24(b)%21/install.sh"`,
  ],
  ['has $BASE in its lines without JavaScript, and says what it is', false, '"$BASE/install.sh"'],
])(
  'the page of a release %s',
  withPages(async (openPage, _, javaScript: boolean, address: string) => {
    const opened = await openPage(site.url.origin, { javaScript, width: 'phone' });
    await opened.goto('/a/$(b)!/index.html');
    expect(await opened.locator('pre').allInnerTexts()).toHaveLength(5);
    expect(await opened.locator('pre').nth(1).innerText()).toContain(address);
    expect(await opened.getByText('into BASE').isVisible()).toBe(!javaScript);
    if (javaScript) expect(await faultsOf(opened)).toEqual([]);
  }),
);
