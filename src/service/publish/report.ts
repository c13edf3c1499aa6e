import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../item/problem.ts';
import type { Publication } from './publication.ts';

/** What came of the last publish, for the commands that run beside the server. `at` is when it began, in milliseconds since 1970. */
export type Report = {
  readonly at: number;
  /** Why the content directory could not be taken up, or null. */
  readonly fault: string | null;
  readonly items: readonly ReportedItem[];
};

export type ReportedItem = {
  readonly kind: string;
  readonly slug: string;
  readonly digest: string | null;
  readonly problems: readonly Problem[];
};

/** What came of a publish that began at `at`. */
export function describePublications(
  publications: readonly Publication[],
  at: number,
  fault: string | null = null,
): Report {
  const items = publications.map(({ kind, slug, edition, problems }) => ({
    kind,
    slug,
    digest: edition?.digest ?? null,
    problems,
  }));
  return { at, fault, items };
}

/** Keeps the report in the data directory, replaced whole; where it cannot be written the last one goes, for it tells of another. */
export async function writeReport(dataDirectory: string, report: Report): Promise<void> {
  const file = reportFile(dataDirectory);
  try {
    await writeFile(`${file}.new`, JSON.stringify(report));
    await rename(`${file}.new`, file);
  } catch (cause) {
    await Promise.all([file, `${file}.new`].map((path) => rm(path, { force: true })));
    throw cause;
  }
}

/** The last report, or null where there is none, or none that can be read: it is not synced, and a power cut may empty it. */
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
