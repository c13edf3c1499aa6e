import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';

const MEGABYTE = 1_000_000;
const mount = (...args: string[]) => Bun.spawnSync(['mount', ...args]).exitCode === 0;

/** A file system of its own for a directory, until it is disposed of. */
export type SmallDisk = { readonly path: string; [Symbol.dispose](): void };

/** A tmpfs of 24 MB; null if this user may mount none. */
export function mountTmpfs(path: string): SmallDisk | null {
  mkdirSync(path, { recursive: true });
  return mount('-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', path) ? disk(path) : null;
}

/** An ext4 of 24 MB in a file, which turns read-only after an error; null if this user may mount none. */
export function mountExt4(path: string): (SmallDisk & { readonly device: string }) | null {
  mkdirSync(path, { recursive: true });
  const image = join(temporaryDirectory(), 'ext4.img');
  writeFileSync(image, new Uint8Array(24 * MEGABYTE));
  if (Bun.spawnSync(['mkfs.ext4', '-q', '-m', '0', image]).exitCode !== 0) return null;
  if (!mount('-o', 'loop,errors=remount-ro', image, path)) return null;
  const source = Bun.spawnSync(['findmnt', '-n', '-o', 'SOURCE', path]).stdout.toString().trim();
  return { ...disk(path), device: source.replace('/dev/', '') };
}

function disk(path: string): SmallDisk {
  return { path, [Symbol.dispose]: () => void Bun.spawnSync(['umount', '-l', path]) };
}

/** Mounts a disk again for reading alone, or for writing. */
export function remount({ path }: SmallDisk, mode: 'ro' | 'rw'): void {
  if (!mount('-o', `remount,${mode}`, path)) throw new Error(`Cannot remount ${path} ${mode}`);
}

/** Has the kernel find an error in an ext4, after which it writes nothing more. */
export function breakExt4({ device }: { readonly device: string }): void {
  writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1');
}

/** Fills what is left of a disk, to the last byte. */
export function fill({ path }: SmallDisk): void {
  for (const size of [MEGABYTE / 4, 4096, 512])
    try {
      for (let n = 0; ; n++) writeFileSync(join(path, `filler-${size}-${n}`), new Uint8Array(size));
    } catch {}
}

/** The same, and gives one block back: a probe can be written, and the index of SQLite's log cannot. */
export function fillButOneBlock(disk: SmallDisk): void {
  fill(disk);
  rmSync(join(disk.path, 'filler-4096-0'));
}

export function clear({ path }: SmallDisk): void {
  for (const name of readdirSync(path)) if (name.startsWith('filler')) rmSync(join(path, name));
}
