// A backup as one file: a tar of the database, its checksum file and the folder beside it.
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TAR_END, tarHeader, tarPadding } from '../catalog/archive/tar.ts';
import { readTar, type TarFile } from '../catalog/archive/untar.ts';
import { readPieces } from '../platform/base/file-slice.ts';
import { quote } from '../platform/base/problem.ts';
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import { checksumFile, filesFolder } from '../platform/store/backup.ts';
import { backupTime } from '../platform/store/copy.ts';
import { makeDataDirectory } from '../platform/store/data-directory.ts';
import { isBackupPath } from './backup-folder.ts';
import { stagePushed } from './pushed.ts';

/** Yields a backup as a tar, piece by piece. The next piece overwrites the last one. */
export function* tarBackup(path: string): Generator<Uint8Array> {
  yield* tarFiles(
    dirname(path),
    [path, checksumFile(path), filesFolder(path)].filter(existsSync).map((one) => basename(one)),
  );
  yield TAR_END;
}

/**
 * Yields the files at these paths in `folder`, in this order, and all files below a path that is a folder. Leaves out
 * links.
 */
function* tarFiles(folder: string, paths: readonly string[]): Generator<Uint8Array> {
  for (const path of paths) {
    const file = join(folder, path);
    const stat = lstatSync(file);
    if (stat.isDirectory())
      yield* tarFiles(
        folder,
        readdirSync(file)
          .toSorted()
          .map((name) => `${path}/${name}`),
      );
    if (!stat.isFile()) continue;
    const header = tarHeader(path, stat.size, (stat.mode & 0o100) !== 0);
    yield* readPieces({ file, start: 0, end: stat.size }, header, tarPadding(stat.size));
  }
}

/**
 * Unpacks a backup that is one tar into the data directory, calls `restore` with the path of its database, and removes the
 * files. Refuses a tar that holds anything but a backup, or ends too early.
 */
export async function withUnpacked<Result>(
  tar: string,
  dataDirectory: string,
  restore: (file: string) => Result,
): Promise<Result> {
  if (!existsSync(tar) || !lstatSync(tar).isFile())
    throw Refusal.storage(`Cannot restore "${tar}": there is no such file; name a backup from the office`);
  makeDataDirectory(dataDirectory);
  const folder = stagePushed(dataDirectory, 'unpack');
  try {
    return restore(await unpack(tar, folder));
  } catch (error) {
    throw error instanceof Refusal ? Refusal.storage(error.message.replaceAll(folder, tar)) : error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function unpack(tar: string, folder: string): Promise<string> {
  const refuse = (reason: string): Refusal =>
    Refusal.storage(`Cannot restore "${tar}": ${reason}; download the backup again, or use another`);
  let name: string | null = null;
  try {
    for await (const file of readTar(Bun.file(tar).stream())) {
      name ??= file.path;
      if (!isIn(name, file.path)) throw refuse(`it holds ${quote(file.path)}, which no backup does`);
      await write(join(folder, file.path), file);
    }
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'storage-unavailable') throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (error instanceof Refusal) throw refuse(error.message.replace('Cannot unpack the archive: ', ''));
    if (/^E(EXIST|NOTDIR|ISDIR|NAMETOOLONG)$/.test(code))
      throw refuse('it holds a file twice, or under a name too long');
    throw Refusal.storage(
      `Cannot unpack "${tar}" into the data directory: ${messageOf(error)}; free space there`,
    );
  }
  if (name === null) throw refuse('it holds no file');
  return join(folder, name);
}

/** Whether a tar of the backup `name` may hold a file of this path. */
function isIn(name: string, path: string): boolean {
  if (backupTime(name) === null) return false;
  const beside = `${filesFolder(name)}/`;
  return (
    [name, checksumFile(name)].includes(path) ||
    (path.startsWith(beside) && isBackupPath(path.slice(beside.length)))
  );
}

async function write(to: string, { executable, body }: TarFile): Promise<void> {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const descriptor = openSync(to, 'wx', executable ? 0o700 : 0o600);
  try {
    for await (const piece of body()) writeFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}
