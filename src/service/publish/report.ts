import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../item/problem.ts';
import { replaceFile } from '../../replace-file.ts';
import { markReportLost } from '../../store/lock/serve-lock.ts';
import { mapInTurns } from '../../turn.ts';
import type { Publication } from './publication.ts';

/** The outcome of the last publish, for commands that run beside the server. `at` is its start in milliseconds since 1970. */
export type Report = {
  readonly at: number;
  /** Why the content directory could not be used, or null. */
  readonly fault: string | null;
  readonly items: readonly ReportedItem[];
};

export type ReportedItem = {
  readonly kind: string;
  readonly slug: string;
  /** Of the served edition, and of a draft its own; null if there is neither. */
  readonly digest: string | null;
  readonly problems: readonly Problem[];
};

/** The report of a publish that began at `at`. */
export function describePublications(
  publications: readonly Publication[],
  at: number,
  fault: string | null = null,
): Report {
  const items = publications.map(({ kind, slug, edition, problems }) => ({
    kind,
    slug,
    digest: (edition?.draft ?? edition)?.digest ?? null,
    problems,
  }));
  return { at, fault, items };
}

/** The code of the warning that a draft has holders, who get its last published edition. */
export const SOLD_DRAFT = 'sold-draft';

/** The sentences about drafts that have holders, each with its item. */
export function describeSoldDrafts({ items }: Report): readonly string[] {
  return items.flatMap(({ kind, slug, problems }) =>
    problems.flatMap(({ code, sentence }) => (code === SOLD_DRAFT ? [`${kind}s/${slug}: ${sentence}`] : [])),
  );
}

/** The code of the warning that an item serves an earlier edition than its folder's. */
export const ROLLED_BACK = 'rolled-back';

/** The items that serve an earlier edition than their folder's. */
export function listRolledBack({ items }: Report): readonly ReportedItem[] {
  return items.filter(({ problems }) => problems.some(({ code }) => code === ROLLED_BACK));
}

/** The code of the warning that an item is served under the slug it had, since its renamed folder cannot be. */
export const RENAMED = 'renamed';

/** Whether an item has a folder of its name: one that was renamed has another. */
export function hasFolder({ problems }: ReportedItem): boolean {
  return !problems.some(({ code }) => code === RENAMED);
}

/** Writes the report to the data directory, replaced whole; if that fails the old one is removed, since it is out of date. */
export async function writeReport(dataDirectory: string, report: Report): Promise<void> {
  const file = reportFile(dataDirectory);
  try {
    const items = await mapInTurns(report.items, (item) => JSON.stringify(item));
    const { at, fault } = report;
    await replaceFile(file, `{"at":${at},"fault":${JSON.stringify(fault)},"items":[${items.join()}]}`);
  } catch (cause) {
    await rm(file, { force: true }).catch(() => {});
    markReportLost(dataDirectory);
    throw cause;
  }
}

/** The last report, or null if it is missing or damaged: it is not synced, so a power cut may empty it. */
export async function readReport(dataDirectory: string): Promise<Report | null> {
  try {
    return JSON.parse(await readFile(reportFile(dataDirectory), 'utf8')) as Report;
  } catch {
    return null;
  }
}

function reportFile(dataDirectory: string): string {
  return join(dataDirectory, 'publication.json');
}
