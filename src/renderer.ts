/** The Worker that renders texts for reading pages. `app.ts` starts it by its file name. */
import type { RenderJob } from './catalog/reading/render-job.ts';
import { render } from './catalog/reading/render.ts';
import { messageOf } from './refusal.ts';

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<RenderJob>) => {
  try {
    self.postMessage({ result: render(data) });
  } catch (error) {
    self.postMessage({ error: messageOf(error) });
  }
};
self.postMessage('ready');
