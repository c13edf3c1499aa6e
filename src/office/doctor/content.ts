import { fail, ok, type Result, skip, some, type Subject, warn } from './subject.ts';
import { isError } from '../../publishing/scan.ts';
import { itemDigest } from '../../catalog/item.rule.ts';
import { counted } from '../../platform/base/text.ts';
import { type CheckedEntry, isRefused } from '../../publishing/check.ts';
import {
  hasFolder,
  listRolledBack,
  listUnsold,
  readReport,
  type PublishReport,
} from '../../publishing/publication.ts';

const NAMES_ALL = 'Run "bookstall check", which names every problem and its remedy';

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
  const signed = items.filter(({ signer }) => signer !== null).length;
  return ok(
    `${counted(items.length, 'item')}, ${signed === 0 ? '' : `${signed} signed, `}and nothing wrong with them`,
  );
}

/** Reports whether the last reload of the content worked, and, in `bookstall doctor`, whether the content changed since. */
export async function examineServed({ config: { data, demo }, entries, serving }: Subject): Promise<Result> {
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
  // Ignores an error, since the check "content" reports it.
  const checked = serving === null ? await entries().catch(() => null) : null;
  const changed = checked === null ? [] : listChanged(report, checked);
  if (changed.length > 0)
    return warn(
      `These changed since the content was loaded: ${some(changed)}`,
      'Run "bookstall reindex" when they are ready to be served',
    );
  // The command leaves this to `bookstall check`, which names each such item.
  const unsold = demo || serving === null ? [] : listUnsold(report);
  if (unsold.length > 0)
    return warn(
      `These have a price, and nobody can buy them: ${some(unsold.map(nameOf))}`,
      'Make them at a payment provider, in their form or with "bookstall sell setup", or write "checkoutUrl" into item.yaml',
    );
  return ok(`${counted(report.items.length, 'item')}, loaded at ${new Date(report.at).toISOString()}`);
}

export async function examineStallFiles({ config: { data } }: Subject): Promise<Result> {
  const report = await readReport(data);
  if (report === null) return skip('No content was loaded yet');
  const [first, ...more] = report.files.flatMap(({ path, problems, instead }) =>
    problems.map((one) => ({ ...one, path, instead })),
  );
  if (first === undefined) return ok('stall.yaml and the files in "mails" are used as they are');
  const others = more.length === 0 ? '' : `, and ${counted(more.length, 'more error')}`;
  return fail(
    `${first.path}: ${first.sentence}${others}`,
    `${first.remedy}, and reload the content; until then ${first.instead}`,
  );
}

/**
 * Lists the items whose folder is good but differs from the served edition, and the served items that have lost their folder.
 */
function listChanged({ items }: PublishReport, entries: readonly CheckedEntry[]): readonly string[] {
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
