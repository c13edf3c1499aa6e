import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PROJECT = join(import.meta.dir, '../..');

/**
 * Copies the project, so that mistakes can be made in it: the files that git knows and new ones, beside the same packages. The
 * copy is removed when this process ends. `run` runs `bun` in it, which is ended after `longest` milliseconds.
 */
export function copyProject(longest: number) {
  const copy = mkdtempSync(join(tmpdir(), 'bookstall-mutants-'));
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  process.on('SIGINT', () => process.exit(130));
  const listed = Bun.spawnSync(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT,
  });
  for (const path of listed.stdout.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(PROJECT, path), join(copy, path), { recursive: true });
  }
  // A mistake that leaves a name unused is one all the same: the name may be used elsewhere, or go too.
  const config = join(copy, 'tsconfig.json');
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll(/("noUnused\w+": )true/g, '$1false'));
  for (const folder of ['node_modules', 'test/clients/node_modules'])
    symlinkSync(join(PROJECT, folder), join(copy, folder));

  const run = async (words: readonly string[]): Promise<{ readonly code: number; readonly said: string }> => {
    const child = Bun.spawn([process.execPath, ...words], {
      cwd: copy,
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: longest,
      killSignal: 'SIGKILL',
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { code: await child.exited, said: out + err };
  };
  return { copy, run };
}
