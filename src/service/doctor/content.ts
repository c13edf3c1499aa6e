import { isError } from '../../catalog/scan.ts';
import { itemDigest } from '../../item/digest.ts';
import { type CheckedEntry, isRefused } from '../publish/check.ts';
import { hasFolder, listRolledBack, readReport, type Report } from '../publish/publish.ts';
import { fail, ok, type Result, some, warn } from './result.ts';
import type { Subject } from './subject.ts';

const NAMES_ALL = 'Run "bookstall check", which names every problem and its remedy';

/** The findings of `check`. */
export async function examineContent({ config: { content }, entries }: Subject): Promise<Result> {
  const all = await entries();
  const items = all.filter(({ kind }) => kind !== 'stall');
  const refused = all.filter(isRefused);
  const withWarnings = all.filter(({ problems }) => problems.length > 0);
  if (refused.length > 0) return fail(`These cannot be served: ${some(refused.map(nameOf))}`, NAMES_ALL);
  if (items.length === 0)
    return warn(
      `"${content}" has no items`,
      'Make one with "bookstall new book SLUG", or name another directory with --content',
    );
  if (withWarnings.length > 0)
    return warn(`These have warnings: ${some(withWarnings.map(nameOf))}`, NAMES_ALL);
  return ok(`${items.length} items, and nothing wrong with them`);
}

/** How the last reload of the content went, and whether the content has changed since. */
export async function examineServed({ config: { data }, entries, serving }: Subject): Promise<Result> {
  const report = await readReport(data);
  if (report === null)
    return warn('No content was loaded yet', 'Start "bookstall serve", or run "bookstall reindex"');
  if (report.fault !== null)
    return warn(
      report.fault,
      'Look whether its disk is mounted and --content is right, then run "bookstall reindex"',
    );
  const broken = report.items.filter(({ problems }) => problems.some(isError));
  const lost = broken.filter(({ digest }) => digest === null);
  const correct = `${NAMES_ALL}; then "bookstall reindex"`;
  if (lost.length > 0) return fail(`These are not served: ${some(lost.map(nameOf))}`, correct);
  if (broken.length > 0)
    return warn(`These are served from their last good edition: ${some(broken.map(nameOf))}`, correct);
  const rolledBack = listRolledBack(report);
  if (rolledBack.length > 0)
    return warn(
      `These were rolled back, and serve an earlier edition than their files: ${some(rolledBack.map(nameOf))}`,
      'Correct their files and raise "version": the next reload then serves them',
    );
  // Content that cannot be read is told of by its own check.
  const checked = serving === null ? await entries().catch(() => null) : null;
  const changed = checked === null ? [] : listChanged(report, checked);
  if (changed.length > 0)
    return warn(
      `These changed since the content was loaded: ${some(changed)}`,
      'Run "bookstall reindex" when they are ready to be served',
    );
  return ok(`${report.items.length} items, loaded at ${new Date(report.at).toISOString()}`);
}

/** Items that are good in the content directory and served in another state, and items that are served and gone from it. */
function listChanged({ items }: Report, entries: readonly CheckedEntry[]): readonly string[] {
  const digests = new Map(items.filter(hasFolder).map((item) => [nameOf(item), item.digest]));
  const there = entries.filter(({ kind }) => kind !== 'stall');
  const names = new Set(there.map(nameOf));
  return [
    ...there
      .filter((entry) => !isRefused(entry) && digests.get(nameOf(entry)) !== itemDigest(entry.files))
      .map(nameOf),
    ...[...digests.keys()].filter((name) => !names.has(name)),
  ];
}

const nameOf = ({ kind, slug }: { readonly kind: string; readonly slug: string }): string =>
  kind === 'stall' ? slug : `${kind}s/${slug}`;
