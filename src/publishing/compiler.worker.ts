/** The Worker that compiles items. `publishing-session.ts` starts it by its file name. */
import type { CheckedItem, CompilerJob } from './compile-pool.ts';
import { inspectItem, readManifest } from './scan.ts';
import { type ItemFolder } from '../catalog/compile-job.ts';
import { compileIndex } from '../asking/book-index.ts';
import { orderChapters } from '../catalog/text-order.ts';
import { refreshItem, restoreItem } from './refresh.ts';
import { readSectionQuestions } from '../asking/section-questions.ts';
import type { Limits } from '../platform/base/item-limits.ts';

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<CompilerJob>) =>
  self.postMessage({ result: await doCompilerJob(data) });
// Tests call the compiler in their own thread, where nothing is sent.
if (!Bun.isMainThread) self.postMessage('ready');

function inspect(item: ItemFolder, limits: Limits): CheckedItem {
  const inspected = inspectItem(item, limits, null);
  const { manifest, files } = inspected;
  if (manifest === null) return { ...inspected, questions: null };
  const chapters = orderChapters(item.folder, manifest, files);
  return { ...inspected, questions: readSectionQuestions(item.folder, manifest, chapters) };
}

export function doCompilerJob(task: CompilerJob) {
  if (task.task === 'inspect') return inspect(task.item, task.limits);
  if (task.task === 'manifest') return readManifest(task.item).manifest;
  return task.task === 'refresh'
    ? refreshItem(task.job, compileIndex)
    : restoreItem(task.job, task.from, compileIndex);
}
