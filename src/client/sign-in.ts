import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import { writeWhole } from './manifest.ts';

/** A stall a reader is signed in to. */
export type SignIn = { readonly key: string; readonly email: string };

/** The file that `login` writes, mode 0600: keys by the stall's origin, and the stall used where none is named. */
type Book = { readonly current: string | null; readonly stalls: Readonly<Record<string, SignIn>> };

const NOTHING: Book = { current: null, stalls: {} };

/** The sign-ins below the reader's folder. */
export function openSignIns(config: string) {
  const file = join(config, 'stalls.json');
  const read = async (): Promise<Book> => {
    if (!existsSync(file)) return NOTHING;
    try {
      const { current, stalls } = JSON.parse(await readFile(file, 'utf8')) as Book;
      return { current: current ?? null, stalls: { ...stalls } };
    } catch {
      throw new Refusal(
        'unauthenticated',
        `Cannot read the sign-ins in "${file}": remove the file, and sign in again`,
      );
    }
  };
  const write = async (book: Book): Promise<void> => {
    await mkdir(config, { recursive: true, mode: 0o700 });
    await writeWhole(file, `${JSON.stringify(book, null, 2)}\n`);
    // Windows has no modes; its profile folder is private.
    await chmod(file, 0o600);
  };
  return {
    file,
    read,
    async add(url: string, signIn: SignIn): Promise<void> {
      const { stalls } = await read();
      await write({ current: url, stalls: { ...stalls, [url]: signIn } });
    },
    /** Forgets one stall, and tells whether it was known. The file goes with the last one. */
    async remove(url: string): Promise<boolean> {
      const { current, stalls } = await read();
      const { [url]: gone, ...rest } = stalls;
      const next = current === url ? (Object.keys(rest)[0] ?? null) : current;
      if (Object.keys(rest).length === 0) await rm(file, { force: true });
      else if (gone !== undefined) await write({ current: next, stalls: rest });
      return gone !== undefined;
    },
  };
}
