import { spawn } from 'node:child_process';
import { Refusal } from '../../refusal.ts';

/** Makes `bookstall git-credential` git's helper for one stall alone. `packageStall` is the stall that served this program, if one did. */
export async function connectGit(origin: string, packageStall: string | null): Promise<void> {
  const name = settingOf(origin);
  // Its messages, such as npm's, would stand before git's own reason: some agents show a few lines alone.
  const helper = `!f() { ${programOf(packageStall)} git-credential "$@" 2>/dev/null; }; f`;
  const known = (await readHelpers(name)).filter((one) => one !== '');
  const foreign = known.find((one) => !isOurs(one));
  if (foreign !== undefined)
    throw new Refusal(
      'invalid-request',
      `Cannot connect git to ${origin}: it has another helper for it; remove that with "git config --global --unset-all ${name}"`,
    );
  // An empty one first: helpers for every address would store the key that ours gives.
  await config(['--replace-all', name, '']);
  await config(['--add', name, helper]);
}

/** Takes the helper out again; false if there was none. */
export async function disconnectGit(origin: string): Promise<boolean> {
  const name = settingOf(origin);
  const known = await readHelpers(name);
  if (!known.some(isOurs)) return false;
  await config(['--unset-all', name]);
  return true;
}

/** Whether a helper is this program's, also as version 0.2.0 wrote it. */
function isOurs(helper: string): boolean {
  return / git-credential(?: "\$@" 2>\/dev\/null; }; f)?$/.test(helper);
}

function settingOf(origin: string): string {
  return `credential.${origin}.helper`;
}

async function readHelpers(name: string): Promise<readonly string[]> {
  const { code, out } = await git(['config', '--global', '--null', '--get-all', name]);
  return code === 0 ? out.split('\0').slice(0, -1) : [];
}

async function config(words: readonly string[]): Promise<void> {
  const { code, err } = await git(['config', '--global', ...words]);
  if (code === 0) return;
  throw new Refusal(
    'invalid-request',
    `Cannot change git's configuration: ${err.trim() || `git ended with ${code}`}`,
  );
}

/** This program as a shell starts it: its own file, or the package that a stall serves. */
function programOf(packageStall: string | null): string {
  if (packageStall !== null) return `npx --yes ${packageStall}/client.tgz`;
  const [, script = ''] = process.argv;
  const isCompiled = /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN)/.test(script);
  return [process.execPath, ...(isCompiled ? [] : [script])].map(quoted).join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '/').replaceAll("'", "'\\''")}'`;
}

function git(words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (part: Buffer) => (out += part.toString()));
    child.stderr.on('data', (part: Buffer) => (err += part.toString()));
    child.on('error', () =>
      reject(new Refusal('invalid-request', 'Cannot find git on this machine: install it, and try again')),
    );
    child.on('close', (code) => resolve({ code: code ?? 1, out, err }));
  });
}
