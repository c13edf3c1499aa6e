/** The Worker that inspects and compiles items, with the catalog's ports filled. `app.ts` starts it by its file name. */
import type { CompilerJob } from './catalog/compile-pool.ts';
import { inspectItem } from './catalog/inspect.ts';
import { type CompileIndex, refreshItem } from './catalog/refresh.ts';
import { buildIndex } from './search/build.ts';

declare const self: Worker;

const compileIndex: CompileIndex = (file, { manifest, chapters }) =>
  buildIndex(file, { language: manifest.language, aliases: manifest.aliases, chapters }).passages > 0;

self.onmessage = ({ data }: MessageEvent<CompilerJob>) =>
  self.postMessage(
    data.task === 'inspect' ? inspectItem(data.item, data.limits, null) : refreshItem(data.job, compileIndex),
  );
