import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../helpers/harness.ts';

export type GitClient = ReturnType<typeof createGitClient>;

/** The git program with a home folder of its own; `credential` is what its helper answers, and none if there is none. */
export function createGitClient(credential: string | null = null) {
  const home = temporaryDirectory();
  const folder = join(home, 'work');
  mkdirSync(folder);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LANG: 'C',
  };
  const helper = `!f() { test "$1" = get && printf 'username=any\\npassword=%s\\n' '${credential}'; }; f`;
  const asked = credential === null ? [] : ['-c', `credential.helper=${helper}`];
  return {
    home,
    folder,
    /** Runs git in a folder below its own. */
    async run(at: string, ...words: string[]) {
      const program = Bun.spawn(['git', ...asked, ...words], {
        cwd: join(folder, at),
        env,
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [out, err] = await Promise.all([program.stdout.text(), program.stderr.text()]);
      return { code: await program.exited, out: out.trim(), err };
    },
  };
}
