import { expect, test } from 'bun:test';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';
import { makeEpub, opf, xhtml } from '../publishing/manuscript/make-epub.ts';
import { openStripeAccount } from '../selling/providers/stripe-account.ts';
import { signStripe } from '../selling/signed.ts';
import { session, stripeEvent } from '../selling/providers/stripe-events.ts';
import { addReader, buildProgram, run, serve } from './program.ts';

await buildProgram();

const PROJECT = join(import.meta.dir, '../..');

const EPUB = makeEpub({
  'OPS/book.opf': opf(
    '3.0',
    '<dc:title>Herons</dc:title><dc:creator>Ada Heron</dc:creator><dc:language>en</dc:language><dc:publisher>Quince</dc:publisher><dc:description>How they stand.</dc:description>',
    '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>',
    '<spine><itemref idref="one"/></spine>',
  ),
  'OPS/nav.xhtml': xhtml('<nav epub:type="toc"><ol><li><a href="one.xhtml">Standing</a></li></ol></nav>'),
  'OPS/one.xhtml': xhtml('<h1>Standing</h1><p>On one leg.</p>'),
});

test('from an empty directory to a sale takes five commands, with three values to type', async () => {
  const account = await openStripeAccount();
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'herons.epub'), EPUB);
  const [commands, values]: [string[], Set<string>] = [[], new Set()];
  const typed = (value: string): string => (values.add(value), value);
  /** The words of a command line, counted. */
  const words = (line: string): readonly string[] => {
    commands.push(line);
    return line.split(' ').slice(1);
  };
  const env = { BOOKSTALL_STRIPE_API_URL: account.url };
  const enter = async (line: string, more = {}) => {
    const said = await run(words(line), { cwd: directory, env: { ...env, ...more } });
    expect([line, said.code, said.err]).toEqual([line, 0, said.err]);
    return said.out + said.err;
  };

  await enter('bookstall init');
  await enter(`bookstall import herons.epub --price ${typed('1900')} --publish`);
  const key = { BOOKSTALL_STRIPE_SETUP_KEY: typed('rk_live_hush') };
  const said = await enter(
    `bookstall sell setup stripe --base-url ${typed('https://stall.example.org')}`,
    key,
  );
  // Copied from what was said, not typed.
  const [, name = '', file = '', next = ''] = /(\w+_FILE)=(\S+) (bookstall serve .*)/.exec(said) ?? [];
  const secretFile = { [name]: file };
  const stall = await serve(directory, words(next).slice(1), { env: { ...env, ...secretFile } });
  expect(await enter('bookstall sell check', secretFile)).toContain('Sales can begin');
  expect(commands.length).toBeLessThanOrEqual(5);
  expect(values.size).toBeLessThanOrEqual(3);

  const address = /"address":"([^"]+)"/.exec(stall.err.text())?.[1] ?? '';
  const [link] = account.list('payment_links');
  const page = await (await fetch(`${address}/books/herons`)).text();
  expect(page).toContain(`href="${link!['url']}"`);
  const secret = readFileSync(file, 'utf8');
  const { headers } = await addReader(stall, 'ada@example.org');
  const install = () => fetch(`${address}/api/install/herons`, { headers });
  expect((await install()).status).toBe(403);
  const event = stripeEvent('checkout.session.completed', 0, session('1', { payment_link: link!['id'] }));
  const sale = signStripe(event, Date.now(), secret);
  const deliver = (to: string) => fetch(`${to}/webhooks/stripe`, { method: 'POST', ...sale });
  expect((await deliver(address)).status).toBe(200);
  expect((await install()).status).toBe(200);
  expect(await enter('bookstall sell check', secretFile)).toContain('Sales can begin');

  // The variable alone names the secret: a server that is started without it takes no sales.
  await stall.stop();
  const without = await serve(directory, [], { env });
  expect((await deliver(without.url)).status).toBe(404);
});

test('the way to a stall of one’s own that README tells works beside the program just built', async () => {
  const clone = temporaryDirectory();
  symlinkSync(join(PROJECT, 'dist'), join(clone, 'dist'));
  const [, told = ''] = readFileSync(join(PROJECT, 'README.md'), 'utf8').split('**A stall of your own**');
  const [, block = ''] = told.split('\n```');
  const [init = '', enter = '', start = ''] = block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +#.*/, ''));
  const made = Bun.spawnSync(
    ['sh', '-euc', `${init}\n${enter}\npwd\n[ -x ${start.replace(' ', ' ] && [ ')} = serve ]`],
    { cwd: clone },
  );
  expect([made.exitCode, made.stderr.toString()]).toEqual([0, '']);
  expect(made.stdout.toString()).toContain(`Next: cd my-stall && ${join(PROJECT, 'dist/bookstall')} serve\n`);
  const directory = made.stdout.toString().trim().split('\n').at(-1) ?? '';
  const stall = await serve(directory, []);
  expect(await (await stall.fetch('/api/items')).json()).toEqual({ items: [], next: null });
  expect(await stall.stop()).toBe(0);
});
