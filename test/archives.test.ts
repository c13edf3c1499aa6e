import { describe, expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inDirectory, run, testWith } from './catalog/archive/readers.ts';
import { itemYaml, openStall, skillMd, type Files } from './helpers/harness.ts';

/** A path of 300 characters, in folders of 50. */
const LONG = `${`${'d'.repeat(49)}/`.repeat(5)}${'n'.repeat(47)}.md`;

/** Trees as publishers make them, and worse; every path is distributed. */
const TREES: Readonly<Record<string, Files>> = {
  'plain-skill': { 'SKILL.md': skillMd('plain-skill'), 'scripts/run.sh': '#!/bin/sh\necho run\n' },
  'nested-book': {
    '01.md': '# One\n',
    'a/b/c/d/e/f/g/h.md': '# Deep\n',
    'a.md': 'A file beside the folder of its name\n',
    'a-b/c.md': 'A folder that sorts between the two\n',
  },
  'empty-book': { '01.md': '# One\n', 'empty.md': '', 'folder/empty.bin': '', 'folder/run.sh': '#!' },
  'binary-book': {
    '01.md': '# One\n',
    'cover.png': randomBytes(70_000),
    'zeros.bin': new Uint8Array(200_000),
    'block.bin': new Uint8Array(512).fill(7),
    'bom.md': '\uFEFF# With a byte order mark\r\n',
    'half.txt': new Uint8Array([0x63, 0x61, 0x66, 0xc3]),
  },
  'long-book': {
    '01.md': '# One\n',
    [LONG]: '# Far away\n',
    [`${'n'.repeat(252)}.md`]: '# A name of 255 bytes\n',
  },
  'world-book': {
    '01.md': '# One\n',
    'Übergröße/章/한글 🦉.md': '# Names\n',
    'שלום/سلام.md': '# Peace\n',
    ' a space first.md': 'x',
    'it\'s $HOME; `a` & *[b]? %41 "q".md': 'x',
    '-rf.md': 'x',
    '@list.md': 'x',
  },
  'large-book': {
    '01.md': '# One\n',
    'noise.bin': randomBytes(9_000_000),
    'text.md': 'The owl slept.\n'.repeat(50_000),
  },
};

const kindOf = (slug: string): string => (slug.endsWith('-skill') ? 'skill' : 'book');
const stall = await openStall({
  files: Object.fromEntries(
    Object.entries(TREES).flatMap(([slug, files]) => [
      [
        `${kindOf(slug)}s/${slug}/item.yaml`,
        itemYaml({ unitAmountCents: 100, ...(kindOf(slug) === 'book' ? { id: `id-${slug}` } : {}) }),
      ],
      ...Object.entries(files).map(([path, text]) => [`${kindOf(slug)}s/${slug}/${path}`, text] as const),
    ]),
  ),
});
const { headers, account } = await stall.reader('ann@example.org', ...Object.keys(TREES));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The archive's files by the files endpoint: `sha256 path`, sorted; each hash is that of its content too. */
async function promised(slug: string): Promise<readonly string[]> {
  const path = kindOf(slug) === 'skill' ? `/api/skills/${slug}/files` : `/api/books/id-${slug}/files`;
  const { files } = (await (await stall.fetch(path, { headers })).json()) as {
    files: { path: string; content: string; sha256: string; encoding?: BufferEncoding }[];
  };
  return files
    .map(({ path, content, sha256: hash, encoding = 'utf8' }) => {
      expect(sha256(Buffer.from(content, encoding))).toBe(hash);
      return `${hash} ${slug}/${path}`;
    })
    .toSorted();
}

const executables = (slug: string): readonly string[] =>
  Object.entries(TREES[slug] ?? {})
    .filter(([, text]) => typeof text === 'string' && text.startsWith('#!'))
    .map(([path]) => `${slug}/${path}`)
    .toSorted();

const PYTHON = `
import sys, tarfile
with tarfile.open(fileobj=sys.stdin.buffer, mode='r|gz') as archive:
    for entry in archive:
        print(entry.name)
        archive.extract(entry, 'out', **({'filter': 'data'} if hasattr(tarfile, 'data_filter') else {}))`;

/** Each unpacks `archive` into `out` and prints the names in their order; a decoder alone hands a plain tar to GNU tar. */
const UNPACKERS = [
  { name: 'GNU tar', tool: 'tar', command: 'tar --quoting-style=literal -xzvpf archive -C out' },
  { name: 'bsdtar', tool: 'bsdtar', command: 'bsdtar -tf archive && bsdtar -xpf archive -C out' },
  { name: 'Python tarfile r|gz', tool: 'python3', command: `python3 -c "$PYTHON" < archive` },
  {
    name: 'Node zlib',
    tool: 'node',
    command: `node -e "$NODE" < archive | tar --quoting-style=literal -xvpf - -C out`,
  },
  {
    name: 'DecompressionStream',
    tool: 'node',
    command: `node -e "$WEB" < archive | tar --quoting-style=literal -xvpf - -C out`,
  },
];
const SCRIPTS = {
  PYTHON,
  NODE: "process.stdin.pipe(require('node:zlib').createGunzip()).pipe(process.stdout)",
  WEB: "const { Readable: r } = require('node:stream'); r.fromWeb(r.toWeb(process.stdin).pipeThrough(new DecompressionStream('gzip'))).pipe(process.stdout)",
};

describe.each(UNPACKERS)('$name', ({ tool, command }) => {
  describe.each(Object.keys(TREES))('opens %s', (slug) => {
    testWith(tool)('with the record first, every SHA-256 equal to the files endpoint, and the modes', () =>
      inDirectory(async (directory) => {
        const response = await stall.fetch(`/api/install/${slug}`, { headers });
        expect(response.status).toBe(200);
        const archive = await response.bytes();
        expect(archive.length).toBe(Number(response.headers.get('x-archive-length')));
        await Bun.write(join(directory, 'archive'), archive);
        await mkdir(join(directory, 'out'));
        const printed = await shell(command, directory);
        expect(printed.split('\n')[0]).toBe(`${slug}/.svc-install`);

        const { record, hashes, executable } = await unpacked(join(directory, 'out'), slug);
        expect(record).toMatchObject({ service: stall.url, slug, subscriberId: account.id });
        expect(hashes).toEqual([...(await promised(slug))]);
        expect(executable).toEqual([...executables(slug)]);
      }),
    );
  });
});

test.each(Object.keys(TREES))('the files endpoint names every file of %s and no other', async (slug) => {
  const paths = (await promised(slug)).map((line) => line.slice(65 + slug.length + 1)).toSorted();
  expect(paths).toEqual(Object.keys(TREES[slug] ?? {}).toSorted());
});

async function shell(command: string, directory: string): Promise<string> {
  const script = `umask 022; export PYTHON=$1 NODE=$2 WEB=$3; set -o pipefail; ${command}`;
  const words = ['bash', '-c', script, 'bash', SCRIPTS.PYTHON, SCRIPTS.NODE, SCRIPTS.WEB];
  return new TextDecoder().decode(await run(words, directory));
}

async function unpacked(directory: string, slug: string) {
  const paths = (await readdir(directory, { recursive: true })).toSorted();
  const files: { path: string; hash: string; isExecutable: boolean }[] = [];
  for (const path of paths) {
    const status = await stat(join(directory, path));
    if (!status.isFile() || path === `${slug}/.svc-install`) continue;
    const hash = sha256(await Bun.file(join(directory, path)).bytes());
    files.push({ path, hash, isExecutable: (status.mode & 0o111) !== 0 });
  }
  return {
    record: await Bun.file(join(directory, slug, '.svc-install')).json(),
    hashes: files.map(({ path, hash }) => `${hash} ${path}`).toSorted(),
    executable: files.filter(({ isExecutable }) => isExecutable).map(({ path }) => path),
  };
}
