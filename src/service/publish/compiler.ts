/** The Worker that inspects and compiles items, with the catalog's ports filled. `publishing-session.ts` starts it by its file name. */
import type { CompilerJob } from '../../catalog/workers.ts';
import { inspectItem } from '../../catalog/scan.ts';
import type { CompileIndex } from '../../catalog/book-index.ts';
import { refreshItem, restoreItem } from '../../catalog/refresh.ts';
import { buildIndex } from '../../search/build.ts';

declare const self: Worker;

const compileIndex: CompileIndex = (file, { manifest, chapters }) =>
  buildIndex(file, { language: manifest.language, aliases: manifest.aliases, chapters }).passages > 0;

self.onmessage = async ({ data }: MessageEvent<CompilerJob>) =>
  self.postMessage({ result: await doCompilerJob(data) });
// Tests do its jobs in their own thread.
if (!Bun.isMainThread) self.postMessage('ready');

/** The answer to one job. */
export function doCompilerJob(task: CompilerJob) {
  if (task.task === 'inspect') return inspectItem(task.item, task.limits, null);
  return task.task === 'refresh'
    ? refreshItem(task.job, compileIndex)
    : restoreItem(task.job, task.from, compileIndex);
}
