import type { ItemFolder, Refreshed, RefreshJob } from '../catalog/compile-job.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import type { SectionQuestions } from '../asking/section-questions.ts';
import { createWorkers, type StartWorker } from '../platform/base/worker-queue.ts';
import type { Limits } from '../platform/base/item-limits.ts';
import type { Restoration } from './refresh.ts';
import type { InspectedItem } from './scan.ts';

export type CheckedItem = InspectedItem & { readonly questions: SectionQuestions | null };

export type CompilerJob =
  | { readonly task: 'refresh'; readonly job: RefreshJob }
  | { readonly task: 'restore'; readonly job: RefreshJob; readonly from: Restoration }
  | { readonly task: 'inspect'; readonly item: ItemFolder; readonly limits: Limits }
  | { readonly task: 'manifest'; readonly item: ItemFolder };

export function createCompilePool(start: StartWorker, size: number) {
  const workers = createWorkers(start, 0, size);
  const run = (job: CompilerJob) => workers.run(job);
  return {
    /** Rejects only if the compiler itself died. */
    compile: (job: RefreshJob) => run({ task: 'refresh', job }) as Promise<Refreshed>,
    /** `job.previous` is not used. */
    restore: (job: RefreshJob, from: Restoration) =>
      run({ task: 'restore', job, from }) as Promise<Refreshed>,
    inspect: (item: ItemFolder, limits: Limits) =>
      run({ task: 'inspect', item, limits }) as Promise<CheckedItem>,
    readManifest: (item: ItemFolder) => run({ task: 'manifest', item }) as Promise<Manifest | null>,
    close: workers.close,
  };
}

export type CompilePool = ReturnType<typeof createCompilePool>;
