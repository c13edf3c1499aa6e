import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'bun:test';
import { SLUG, type TreeFile } from './tree.ts';

/** `test` for a tool of the machine: skipped where a developer lacks it, never in CI. */
export const testWith = (tool: string) => test.skipIf(!Bun.which(tool) && !process.env.CI);

/** Runs `use` in a new directory that is removed afterwards. */
export async function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'bookstall-archive-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Stdout of a program that must exit 0 and print nothing to stderr, in a UTF-8 locale. */
export async function run(command: readonly string[], directory: string): Promise<Uint8Array<ArrayBuffer>> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const child = Bun.spawn([...command], { cwd: directory, env, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.bytes(), child.stderr.text()]);
  if ((await child.exited) !== 0 || stderr) throw new Error(`${command.join(' ')}: ${stderr}`);
  return stdout;
}

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

/** A tree as lines `mode sha256 path`, sorted, so that a difference reads well. */
export function listing(files: readonly TreeFile[]): string[] {
  return files
    .map(({ path, bytes, executable }) => `${executable ? '755' : '644'} ${sha256(bytes)} ${SLUG}/${path}`)
    .toSorted();
}

/** The listing of what was extracted below `directory`. */
export async function listingOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true });
  const lines = entries.map(async (path) => {
    const status = await stat(join(directory, path));
    if (status.isDirectory()) return [];
    return [
      `${(status.mode & 0o777).toString(8)} ${sha256(await Bun.file(join(directory, path)).bytes())} ${path}`,
    ];
  });
  return (await Promise.all(lines)).flat().toSorted();
}

const PYTHON_TAR = `
import hashlib, sys, tarfile
with tarfile.open(sys.argv[1], sys.argv[2]) as archive:
    for entry in archive:
        print('%o %s %s' % (entry.mode, hashlib.sha256(archive.extractfile(entry).read()).hexdigest(), entry.name))`;

const PYTHON_ZIP = `
import hashlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for entry in archive.infolist():
        print('%o %s %s' % (entry.external_attr >> 16 & 0o777, hashlib.sha256(archive.read(entry)).hexdigest(), entry.filename))`;

interface Reader {
  readonly tool: string;
  readonly name: string;
  /** Either extracts the archive into the directory `out`, or prints its listing. */
  readonly command: readonly string[];
  readonly prints?: boolean;
}

const python = (name: string, script: string, ...rest: string[]): Reader => ({
  tool: 'python3',
  name,
  command: ['python3', '-c', script, 'archive', ...rest],
  prints: true,
});

export const tarReaders: readonly Reader[] = [
  { tool: 'tar', name: 'GNU tar', command: ['tar', '-xzpf', 'archive', '-C', 'out'] },
  { tool: 'bsdtar', name: 'bsdtar', command: ['bsdtar', '-xpf', 'archive', '-C', 'out'] },
  python('Python tarfile r:gz', PYTHON_TAR, 'r:gz'),
  python('Python tarfile r|gz', PYTHON_TAR, 'r|gz'),
];

export const zipReaders: readonly Reader[] = [
  { tool: 'unzip', name: 'unzip', command: ['unzip', '-q', 'archive', '-d', 'out'] },
  { tool: 'bsdtar', name: 'bsdtar', command: ['bsdtar', '-xpf', 'archive', '-C', 'out'] },
  python('Python zipfile', PYTHON_ZIP),
];

/** An archive as one reader unpacks it, as a listing. */
export function read(reader: Reader, archive: Uint8Array): Promise<string[]> {
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, 'archive'), archive);
    await run(['mkdir', 'out'], directory);
    const printed = new TextDecoder().decode(await run(reader.command, directory));
    return reader.prints ? printed.trimEnd().split('\n').toSorted() : listingOf(join(directory, 'out'));
  });
}
