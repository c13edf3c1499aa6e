import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../../platform/base/refusal.ts';
import { writeWhole } from './manifest.ts';
import { isSlug } from '../../catalog/path.rule.ts';
import { fetchJson } from './stall-calls.ts';
import { objectOf, type StallClient, unexpectedAnswer } from './stall-client.ts';

type SignIn = { readonly key: string; readonly email: string };

/** The file that `login` writes, with mode 0600: each stall's key by its origin, and in `current` the default stall. */
type SignInFile = {
  readonly current: string | null;
  readonly stalls: Readonly<Record<string, SignIn>>;
};

const EMPTY: SignInFile = { current: null, stalls: {} };

export function openSignIns(config: string) {
  const file = join(config, 'stalls.json');
  const read = async (): Promise<SignInFile> => {
    if (!existsSync(file)) return EMPTY;
    try {
      const { current, stalls } = JSON.parse(await readFile(file, 'utf8')) as SignInFile;
      return { current: current ?? null, stalls: { ...stalls } };
    } catch {
      throw Refusal.unauthenticated(
        `Cannot read the sign-ins in "${file}": remove the file, and sign in again`,
      );
    }
  };
  const write = async (contents: SignInFile): Promise<void> => {
    await mkdir(config, { recursive: true, mode: 0o700 });
    await writeWhole(file, `${JSON.stringify(contents, null, 2)}\n`);
    // On Windows modes have no effect, but the user's profile folder is private.
    await chmod(file, 0o600);
  };
  return {
    file,
    read,
    async add(url: string, signIn: SignIn): Promise<void> {
      const { stalls } = await read();
      await write({ current: url, stalls: { ...stalls, [url]: signIn } });
    },
    async remove(url: string): Promise<boolean> {
      const { current, stalls } = await read();
      const { [url]: gone, ...rest } = stalls;
      // Makes no other stall the default, since BOOKSTALL_KEY would then be sent to it.
      const next = current === url ? null : current;
      if (Object.keys(rest).length === 0) await rm(file, { force: true });
      else if (gone !== undefined) await write({ current: next, stalls: rest });
      return gone !== undefined;
    },
  };
}

export type SignIns = ReturnType<typeof openSignIns>;

export async function redeemCode(stall: StallClient, code: string): Promise<readonly string[]> {
  const answer = await fetchJson(stall, '/api/redeem', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { items } = objectOf(answer);
  if (Array.isArray(items) && items.every((slug) => typeof slug === 'string' && isSlug(slug))) return items;
  throw unexpectedAnswer(`Cannot redeem the code at ${stall.url}`);
}
