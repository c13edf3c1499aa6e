import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileReader } from './ebook-files.ts';
import type { EbookPlan } from './ebook-job.ts';

/** A plan with what its jobs look up in it. */
type OpenedPlan = EbookPlan & {
  readonly files: ReadonlySet<string>;
  readonly chapterPaths: ReadonlySet<string>;
  readonly read: (path: string) => Buffer | null;
};

let known: { readonly work: string; readonly plan: OpenedPlan } | null = null;

/** Writes the plan of an e-book into its folder, for every job on it: a plan of ten thousand files is sent to none. */
export async function writePlan(work: string, plan: EbookPlan): Promise<void> {
  await writeFile(join(work, 'plan.json'), JSON.stringify(plan), { mode: 0o600 });
}

/** The plan of an e-book; the last one is kept. */
export function readPlan(work: string): OpenedPlan {
  if (known?.work === work) return known.plan;
  const written = JSON.parse(readFileSync(join(work, 'plan.json'), 'utf8')) as EbookPlan;
  const plan: OpenedPlan = {
    ...written,
    files: new Set(written.paths),
    chapterPaths: new Set(written.chapters.map(({ path }) => path)),
    read: createFileReader(written.source),
  };
  known = { work, plan };
  return plan;
}

/** A chapter between its rendering and the archive. */
type FinishedChapter = { readonly xhtml: string; readonly ids: Readonly<Record<string, string>> };

const chapterPath = (work: string, chapter: number): string => join(work, `${chapter}.json`);

export function writeChapter(work: string, chapter: number, finished: FinishedChapter): void {
  writeFileSync(chapterPath(work, chapter), JSON.stringify(finished), { mode: 0o600 });
}

export function readChapter(work: string, chapter: number): FinishedChapter {
  return JSON.parse(readFileSync(chapterPath(work, chapter), 'utf8')) as FinishedChapter;
}
