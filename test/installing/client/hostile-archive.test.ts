import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type } from '../../platform/cli/type.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { END, type Entry, goodArchive, pax, record, tarEntry, trap } from './hostile-tar.ts';

// A busy machine starts programs slowly.

let archive: Uint8Array = new Uint8Array();
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) =>
    new URL(url).pathname === '/api/install/trap'
      ? new Response(Buffer.from(archive))
      : new Response('', { status: 404 }),
});
afterAll(() => server.stop(true));

/** Installs what `bytes` hold into `<sandbox>/a/b`, and tells what stands in the whole sandbox afterwards. */
async function install(bytes: Uint8Array) {
  archive = bytes;
  const sandbox = temporaryDirectory();
  mkdirSync(join(sandbox, 'a'));
  const environment = { BOOKSTALL_URL: server.url.origin, BOOKSTALL_HOME: join(sandbox, 'home') };
  const said = await type(['install', 'trap', '--dir', join(sandbox, 'a/b')], environment);
  return { ...said, left: readdirSync(sandbox, { recursive: true }).map(String).toSorted() };
}

const one = (entry: Partial<Entry>): Buffer => trap({ name: 'trap/x', content: 'x', ...entry });
const named = (name: string): Buffer => one({ name });
const file = (name: string): Entry => ({ name, content: 'x' });
const good = goodArchive({ 'SKILL.md': 'Hello\n' });
const zeros = (megabytes: number): Buffer => Buffer.alloc(megabytes * 1024 * 1024);

/** The archive with one byte turned, counted from its end. */
function broken(at: number, bytes: Buffer = good): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(copy.length + at) ^ 0xff, copy.length + at);
  return copy;
}

test('a good archive is installed', async () => {
  const { code, left } = await install(good);
  expect(code).toBe(0);
  expect(left).toContain('a/b/trap/SKILL.md');
  expect(left.filter((path) => path.includes('.bookstall'))).toEqual([]);
});

test('a version in its record does not steer the terminal', async () => {
  const content = 'Hello\n';
  const files = { 'SKILL.md': content };
  const version = '1\u001b]0;gotcha\u0007';
  const { code, out } = await install(
    gzipSync(Buffer.concat([record(files, { version }), tarEntry({ name: 'trap/SKILL.md', content }), END])),
  );
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('skill trap 1?]0;gotcha? in') });
});

describe('nothing is written for a name that leaves the folder', () => {
  test.each<[string, Buffer, string]>([
    ['absolute', named('/etc/cron.d/x'), 'has an empty'],
    ['parent', named('../x'), '".." part'],
    ['parent below the slug', named('trap/../../x'), '".." part'],
    ['parent that comes back', named('trap/../trap/x'), '".." part'],
    ['parent far below', named('trap/a/b/../../../../x'), '".." part'],
    ['parent in the ustar prefix', one({ name: 'x', prefix: 'trap/../..' }), '".." part'],
    ['parent in pax', trap(pax({ path: 'trap/../../x' }), file('trap/x')), '".." part'],
    ['absolute in pax', trap(pax({ path: '/tmp/x' }), file('trap/x')), 'has an empty'],
    ['a dot', named('./trap/x'), 'has an empty'],
    ['an empty part', named('trap//x'), 'has an empty'],
    ['a folder by its slash', named('trap/x/'), 'has an empty'],
    ['another folder', named('other/x'), 'not in "trap"'],
    ['the folder itself', named('trap'), 'not in "trap"'],
    ['a folder that begins alike', named('trap-door/x'), 'not in "trap"'],
    ['Windows parent', named('trap/..\\..\\x'), 'name holds'],
    ['Windows drive', named('C:/x'), 'name holds'],
    ['Windows share', named('\\\\host\\share\\x'), 'name holds'],
    ['a stream of a file', named('trap/x:hidden'), 'name holds'],
    ['a device of Windows', named('trap/aux.md'), 'device'],
    ['a trailing dot', named('trap/x.'), 'ends with a dot'],
    ['a trailing space', named('trap/x '), 'ends with a dot or a space'],
    ['escape codes', named('trap/\u001b[2Jx'), '\\u001b[2J'],
    ['a line end', named('trap/x\nInstalled'), '\\nInstalled'],
    ['a turned direction', named('trap/\u202Egpj.exe'), '\\u202e'],
    ['a NUL in pax', trap(pax({ path: 'trap/x\0y' }), file('trap/x')), 'control character'],
    ['no NFC', named('trap/u\u0308'), 'NFC'],
    [
      'no UTF-8',
      trap(Buffer.from(tarEntry({ name: 'trap/@', checksum: '' }).fill(0xff, 5, 6))),
      'Cannot unpack',
    ],
    ['a long name', trap(pax({ path: `trap/${'n'.repeat(256)}` }), file('trap/x')), '255 bytes'],
    ['a repository', named('trap/.git/hooks/post-checkout'), '".git"'],
    ['a repository in another case', named('trap/.GIT/config'), '".git"'],
  ])('%s', async (_, bytes, reason) => expectRefused(bytes, reason));
});

describe('an entry that is not a regular file is not written', () => {
  test.each<[string, Buffer, string]>([
    ['a symbolic link', one({ type: '2', link: '/etc', content: '' }), 'a symbolic link'],
    [
      'a link and a file through it',
      trap({ name: 'trap/l', type: '2', link: '..' }, file('trap/l/x')),
      'a symbolic link',
    ],
    ['a hard link', one({ type: '1', link: '/etc/passwd', content: '' }), 'a hard link'],
    ['a character device', one({ type: '3', content: '' }), 'a device'],
    ['a block device', one({ type: '4', content: '' }), 'a device'],
    ['a named pipe', one({ type: '6', content: '' }), 'a named pipe'],
    ['a folder entry', one({ name: 'trap/d/', type: '5', content: '' }), 'a folder entry'],
    [
      'a GNU long name',
      trap({ name: '././@LongLink', type: 'L', content: '../../x\0' }, file('trap/x')),
      'not a regular file',
    ],
    [
      'a GNU long link',
      trap({ name: '././@LongLink', type: 'K', content: '/etc\0' }, file('trap/x')),
      'not a regular file',
    ],
    ['a sparse file', one({ type: 'S' }), 'not a regular file'],
    ['a global pax header', trap(pax({ path: '../x' }, 'g'), file('trap/x')), 'not a regular file'],
    ['a link name in pax', trap(pax({ linkpath: '/etc' }), file('trap/x')), 'sets "linkpath"'],
  ])('%s', async (_, bytes, reason) => expectRefused(bytes, reason));
});

describe('nothing is written for files that would meet', () => {
  test.each<[string, Buffer, string]>([
    ['the same name', trap(file('trap/x'), file('trap/x')), '"x" twice'],
    ['names that differ in case', trap(file('trap/Read.md'), file('trap/READ.md')), 'only in case'],
    ['folders that differ in case', trap(file('trap/a/x'), file('trap/A/y')), 'only in case'],
    ['a name that case folding lengthens', trap(file('trap/straße'), file('trap/STRASSE')), 'only in case'],
    ['a file as a folder', trap(file('trap/x'), file('trap/x/y')), '"x" twice'],
    ['a folder as a file', trap(file('trap/x/y'), file('trap/x')), '"x" twice'],
    ['a second record', trap(file('trap/.svc-install')), 'twice'],
  ])('%s', async (_, bytes, reason) => expectRefused(bytes, reason));
});

describe('nothing is written for a damaged or endless archive', () => {
  const tar = (...blocks: readonly Buffer[]): Buffer => gzipSync(Buffer.concat(blocks));
  const hello = tarEntry({ name: 'trap/SKILL.md', content: 'Hello\n' });
  test.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'Cannot'],
    ['no gzip', Buffer.from('<html>Sign in</html>'), 'not gzip'],
    ['a zip', Buffer.from('PK\x03\x04'), 'gzip'],
    ['a plain tar', Buffer.concat([record(), END]), 'not gzip'],
    ['cut in the middle', good.subarray(0, good.length / 2), 'cut short'],
    ['cut in the trailer', good.subarray(0, -3), 'cut short'],
    ['a wrong CRC', broken(-8), 'damaged'],
    ['a wrong size in the trailer', broken(-2), 'damaged'],
    ['two members', Buffer.concat([good, good]), 'follow its end'],
    [
      'two halves',
      Buffer.concat([tar(record({ 'SKILL.md': 'Hello\n' })), tar(hello, END)]),
      'more than one gzip member',
    ],
    ['bytes after the gzip', Buffer.concat([good, Buffer.from('more')]), 'damaged'],
    ['bytes after the end', tar(record(), END, hello), 'follow its end'],
    ['zeros after the end without end', tar(record(), END, zeros(3)), 'follow its end'],
    [
      'a path of 20,000 folders',
      trap(pax({ path: `trap/${'a/'.repeat(20_000)}x` }), file('trap/x')),
      'longer and deeper',
    ],
    ...[2_000, 4_000].map((deep): [string, Buffer, string] => [
      `a path of ${deep} folders`,
      trap(pax({ path: `trap/${'abc/'.repeat(deep)}x` }), file('trap/x')),
      'too long for this system',
    ]),
    [
      'many long paths',
      trap(
        ...Array.from({ length: 2500 }, (_, n) => [
          pax({ path: `trap/${`${'a'.repeat(250)}/`.repeat(11)}${n}` }),
          file('x'),
        ]).flat(),
      ),
      'longer and deeper',
    ],
    ['no end', tar(record()), 'ends too early'],
    ['half an end', tar(record(), Buffer.alloc(512)), 'ends too early'],
    ['a file cut short', tar(record(), hello.subarray(0, 515)), 'ends too early'],
    ['a wrong header checksum', one({ checksum: '0000000\0' }), 'wrong checksum'],
    ['no ustar', one({ magic: 'ustar  \0' }), 'no ustar'],
    ['a size in base 256', one({ size: '\x7f'.repeat(12) }), 'malformed number'],
    ['a negative size', one({ size: '-0000000001\0' }), 'malformed number'],
    [
      'two pax headers',
      trap(pax({ path: 'trap/x' }), pax({ path: 'trap/y' }), file('trap/z')),
      'two pax headers',
    ],
    ['a pax header without a file', trap(pax({ path: 'trap/x' })), 'does not end'],
    [
      'a pax length that lies',
      trap({ name: 'P', type: 'x', content: '999 path=x\n' }, file('trap/x')),
      'malformed',
    ],
    [
      'a pax key twice',
      trap({ name: 'P', type: 'x', content: '10 path=x\n10 path=y\n' }, file('trap/x')),
      'twice',
    ],
    [
      'a pax header without end',
      trap({ name: 'P', type: 'x', content: 'x'.repeat(70_000) }, file('trap/x')),
      'pax header of',
    ],
    ['a size of 8 GiB', one({ size: '77777777777\0' }), 'more than 1073741824 bytes'],
    [
      'a size of petabytes',
      trap(pax({ size: '999999999999999' }), file('trap/x')),
      'more than 1073741824 bytes',
    ],
    ['a size with a digit too many', trap({ name: 'trap/0', size: '10000000000\0' }), 'Cannot unpack'],
    ['no record', gzipSync(Buffer.concat([hello, END])), 'does not begin with an install record'],
    [
      'a record that is no JSON',
      tar(tarEntry({ name: 'trap/.svc-install', content: 'x' }), END),
      'cannot be read',
    ],
    [
      'a folder that no slug names',
      tar(tarEntry({ name: '.ssh/.svc-install', content: '{"slug":".ssh"}' }), END),
      'in no folder named by a slug',
    ],
    ['a record of another item', tar(record({}, { slug: 'other' }), END), 'names "other"'],
    ['a wrong digest', tar(record({ 'SKILL.md': 'Other\n' }), hello, END), 'digest'],
    ['a file that is not in the digest', tar(record(), hello, END), 'digest'],
  ])('%s', async (_, bytes, reason) => expectRefused(bytes, reason));

  test('a bomb of 1.5 GB in 1.5 MB is refused by its header, before it is inflated', async () => {
    const bomb = tarEntry({ name: 'trap/x', size: (1500 * 2 ** 20).toString(8).padStart(11, '0') }).subarray(
      0,
      512,
    );
    await expectRefused(tar(record(), bomb, zeros(64)), 'more than 1073741824 bytes');
  });

  test('10,001 files are too many, and 10,000 are not', async () => {
    const names = Array.from({ length: 10_001 }, (_, n) => [`f${n}`, ''] as const);
    await expectRefused(goodArchive(Object.fromEntries(names)), 'more than 10000 files');
    const { code, left } = await install(goodArchive(Object.fromEntries(names.slice(1))));
    expect(code).toBe(0);
    expect(left.filter((path) => path.startsWith('a/b/trap/f'))).toHaveLength(10_000);
  });
});

async function expectRefused(bytes: Uint8Array, reason: string): Promise<void> {
  const { code, out, err, left } = await install(bytes);
  expect({ code, out, left }).toEqual({ code: 1, out: '', left: ['a'] });
  expect(err).toContain(reason);
  expect(err).toStartWith('Cannot ');
  expect(err).not.toMatch(/Internal error|[^\P{Cc}\n]|\p{Bidi_Control}/u);
  expect(existsSync('/etc/cron.d/x')).toBeFalse();
}
