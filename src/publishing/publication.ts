import type { Edition } from '../catalog/catalog.ts';
import { isShown, type Manifest } from '../catalog/item.rule.ts';
import type { Bundle } from '../catalog/stall-manifest.rule.ts';
import { isError } from './scan.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import { LEFT_OUT } from '../catalog/chapter-limit.rule.ts';
import type { Log } from '../platform/base/log.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { counted } from '../platform/base/text.ts';
import { mapInTurns } from '../platform/base/turn.ts';
import { error, type Problem, warning } from '../platform/base/problem.ts';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../platform/base/replace-file.ts';
import { markReportLost } from '../platform/store/server-note.ts';

export type Publication = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly edition: Edition | null;
  readonly isFresh: boolean;
  readonly problems: readonly Problem[];
};

export function keepEdition(edition: Edition): Publication {
  const { kind, slug } = edition.manifest;
  return { kind, slug, edition, isFresh: false, problems: [] };
}

export function withholdEdition(
  publication: Publication,
  edition: Edition | null,
  problem: Problem,
): Publication {
  return { ...publication, edition, isFresh: false, problems: [...publication.problems, problem] };
}

export const editionsOf = (publications: readonly Publication[]): readonly Edition[] =>
  publications.flatMap(({ edition }) => (edition === null ? [] : [edition]));

/**
 * Logs each error of an item with its consequence, each warning about chapters that are too large, and the number of served
 * items.
 */
export async function reportPublications(log: Log, content: string, publications: readonly Publication[]) {
  await mapInTurns(publications, ({ kind, slug, edition, problems }) => {
    const consequence =
      edition === null ? 'it is not served' : 'its last good edition continues to be served';
    for (const { severity, path, sentence, remedy } of problems.filter(
      (one) => isError(one) || LEFT_OUT.has(one.code),
    ))
      log({
        event: 'item-problem',
        message: `${kind}s/${slug}${path === '' ? '' : `/${path}`}: ${sentence}. ${remedy}${severity === 'error' ? `; until then ${consequence}` : ''}`,
      });
  });
  const items = publications.filter(({ edition }) => edition !== null).length;
  const left = publications.length - items;
  log({
    event: 'ready',
    message: `Ready: ${counted(items, 'item')} from "${content}"${left === 0 ? '' : `, ${left} not served`}`,
    items,
  });
}

/** The outcome of the last publish, for commands that run beside the server. `at` is its start in milliseconds since 1970. */
export type PublishReport = {
  readonly at: number;
  readonly fault: string | null;
  readonly files: readonly ReportedFile[];
  readonly items: readonly ReportedItem[];
};

export type ReportedFile = {
  readonly path: string;
  readonly problems: readonly Problem[];
  readonly instead: string;
};

export type ReportedItem = {
  readonly kind: string;
  readonly slug: string;
  readonly digest: string | null;
  readonly problems: readonly Problem[];
};

export function describePublications(
  publications: readonly Publication[],
  at: number,
  { fault, files, bundles }: Pick<PublishReport, 'fault' | 'files'> & { readonly bundles: readonly Bundle[] },
): PublishReport {
  const items = publications.map(({ kind, slug, edition, problems }) => {
    const present = edition?.draft ?? edition;
    return {
      kind,
      slug,
      digest: present?.digest ?? null,
      problems: [...problems, ...findUnsold(present?.manifest ?? null, bundles)],
    };
  });
  return { at, fault, files, items };
}

/**
 * The code of the warning about an item that was published and is a draft or an announcement now: readers who have it still
 * get its last published edition.
 */
export const SOLD_DRAFT = 'sold-draft';

export const describeSoldDrafts = ({ items }: PublishReport): readonly string[] =>
  items.flatMap(({ kind, slug, problems }) =>
    problems.flatMap(({ code, sentence }) => (code === SOLD_DRAFT ? [`${kind}s/${slug}: ${sentence}`] : [])),
  );

/**
 * Lists the warnings about versions that do not fit the files, such as changed files under the same version. A check of the
 * content cannot give them, since it does not know the edition before.
 */
export const describeVersions = ({ items }: PublishReport): readonly string[] =>
  items.flatMap(({ kind, slug, problems }) =>
    problems.flatMap((one) =>
      one.code.endsWith('-version') && !isError(one)
        ? [`${kind}s/${slug}: ${one.sentence}. ${one.remedy}`]
        : [],
    ),
  );

const UNSOLD = 'unsold';

/**
 * Warns of an item in the shop that has a price and cannot be bought: not by a link, at a payment provider or in a bundle.
 */
export function findUnsold(manifest: Manifest | null, bundles: readonly Bundle[]): readonly Problem[] {
  if (manifest === null || !isShown(manifest) || !manifest.unitAmountCents) return [];
  const { slug, checkoutUrl, sell } = manifest;
  if (checkoutUrl !== null || sell !== null || bundles.some(({ items }) => items.includes(slug))) return [];
  return [
    warning(
      UNSOLD,
      'item.yaml',
      'It has a price, and nobody can buy it',
      'Make it at a payment provider, in its form or with "bookstall sell setup", or write "checkoutUrl"',
    ),
  ];
}

export const listUnsold = ({ items }: PublishReport): readonly ReportedItem[] =>
  items.filter(({ problems }) => problems.some(({ code }) => code === UNSOLD));

/** The code of the warning that an item serves an earlier edition than its folder has. */
export const ROLLED_BACK = 'rolled-back';

export const listRolledBack = ({ items }: PublishReport): readonly ReportedItem[] =>
  items.filter(({ problems }) => problems.some(({ code }) => code === ROLLED_BACK));

/** The code of the warning that a renamed item is served under its former slug, since its new folder cannot be served. */
export const RENAMED = 'renamed';

export const hasFolder = ({ problems }: ReportedItem): boolean =>
  !problems.some(({ code }) => code === RENAMED);

/**
 * Writes the report to the data directory, as one new file. If that fails, removes the old report, which is out of date,
 * and throws.
 */
export async function writeReport(dataDirectory: string, report: PublishReport): Promise<void> {
  const file = reportFile(dataDirectory);
  try {
    const items = await mapInTurns(report.items, (item) => JSON.stringify(item));
    const { items: _, ...rest } = report;
    await replaceFile(file, `${JSON.stringify(rest).slice(0, -1)},"items":[${items.join()}]}`);
  } catch (cause) {
    await rm(file, { force: true }).catch(() => {});
    markReportLost(dataDirectory);
    throw cause;
  }
}

/** Reads the last report; null if it is missing or damaged, as after a power cut, since it is not synced to disk. */
export async function readReport(dataDirectory: string): Promise<PublishReport | null> {
  try {
    // A report of version 0.4 has no files.
    const report = JSON.parse(await readFile(reportFile(dataDirectory), 'utf8')) as PublishReport;
    return { ...report, files: report.files ?? [] };
  } catch {
    return null;
  }
}

const reportFile = (dataDirectory: string): string => join(dataDirectory, 'publication.json');

export const compileFailure = (code: string, verb: string, cause: unknown): Problem =>
  error(
    code,
    '',
    `Cannot ${verb} the compiled item: ${messageOf(cause)}`,
    'Check free space and permissions of the data directory, then run "bookstall reindex"',
  );
