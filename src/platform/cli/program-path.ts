import { realpathSync } from 'node:fs';
import { shellWord } from '../base/text.ts';

/** Reports whether this is the compiled program, which holds its own script. */
export const isCompiled = (): boolean => /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN)/.test(process.argv[1] ?? '');

/** Returns the word by which a shell finds this program: its name if PATH leads to it, else its path. */
export function programWord(): string {
  const inPath = Bun.which('bookstall');
  const isNamed = inPath !== null && realpathSync(inPath) === realpathSync(process.execPath);
  return isNamed || !isCompiled() ? 'bookstall' : shellWord(process.execPath.replaceAll('\\', '/'));
}
