/** The Worker that renders texts for reading pages, or resizes covers. `app.ts` starts it by its file name. */
import { resizeCover } from './catalog/covers/resize-cover.ts';
import type { RenderJob } from './catalog/reading/render-job.ts';
import { render } from './catalog/reading/render.ts';
import { messageOf } from './refusal.ts';

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<RenderJob>) => {
  try {
    self.postMessage({ result: data.task === 'cover' ? await resizeCover(data) : render(data) });
  } catch (error) {
    self.postMessage({ error: messageOf(error) });
  }
};
self.postMessage('ready');
