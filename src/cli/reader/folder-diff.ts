import { spawnSync } from 'node:child_process';
import { plainLines } from '../../client/terminal-text.ts';
import { Refusal } from '../../refusal.ts';

const MOST = 64 * 1024 * 1024;

/** Programs that compare folders, in the order they are looked for; both end with 0 for equal and 1 for different. */
const TOOLS: readonly (readonly string[])[] = [
  ['git', '--no-pager', 'diff', '--no-index', '--no-color', '--no-ext-diff', '--no-textconv', '--'],
  ['diff', '-ruN', '--'],
];

/** What would change in `folder` if `stage` took its place, as a unified diff without the install record; '' where nothing would. */
export function diffFolders(folder: string, stage: string, slug: string): string {
  for (const [tool = '', ...words] of TOOLS) {
    const { status, stdout, error } = spawnSync(tool, [...words, folder, stage], {
      encoding: 'utf8',
      maxBuffer: MOST,
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

/** The record differs at every fetch, and tells nothing about the item. */
function withoutRecord(text: string): string {
  const parts = text.split(/^(?=diff )/m);
  return parts.filter((part) => !/^diff .*\.svc-install$/m.test(part.split('\n')[0] ?? '')).join('');
}
