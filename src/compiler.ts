/** The Worker that compiles: the catalog's work with its ports filled. `app.ts` starts it by its file name. */
import { type CompileIndex, type RefreshJob, refreshItem } from './catalog/refresh.ts';
import { buildIndex } from './search/build.ts';

declare const self: Worker;

const compileIndex: CompileIndex = (file, { chapters }) => buildIndex(file, chapters).passages > 0;

self.onmessage = ({ data }: MessageEvent<RefreshJob>) => self.postMessage(refreshItem(data, compileIndex));
