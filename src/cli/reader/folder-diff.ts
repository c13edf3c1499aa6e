import { spawnSync } from 'node:child_process';
import { plainLines } from '../../client/terminal-text.ts';
import { Refusal } from '../../refusal.ts';

const MAX_OUTPUT = 64 * 1024 * 1024;

/** Programs that compare folders, in order of preference; both exit with 0 for equal and 1 for different. */
const TOOLS: readonly (readonly string[])[] = [
  ['git', '--no-pager', 'diff', '--no-index', '--no-color', '--no-ext-diff', '--no-textconv', '--'],
  ['diff', '-ruN', '--'],
];

/** The changes from `folder` to `stage` as a unified diff without the install record; '' if there are none. */
export function diffFolders(folder: string, stage: string, slug: string): string {
  for (const [tool = '', ...words] of TOOLS) {
    const { status, stdout, error } = spawnSync(tool, [...words, folder, stage], {
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT,
    });
    if (error !== undefined || status === null || status > 1) continue;
    return withoutRecord(
      plainLines(stdout.replaceAll(stage, `/new/${slug}`).replaceAll(folder, `/here/${slug}`)),
    );
  }
  throw new Refusal(
    'invalid-request',
    `Cannot show what differs in "${slug}": neither git nor diff is installed; install one`,
  );
}

/** Drops the install record, which differs at every fetch. */
function withoutRecord(text: string): string {
  const parts = text.split(/^(?=diff )/m);
  return parts.filter((part) => !/^diff .*\.svc-install$/m.test(part.split('\n')[0] ?? '')).join('');
}
