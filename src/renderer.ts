/**
 * The Worker that renders reading pages, resizes covers, makes e-books, printed books and git packs, and reads uploads.
 * `app.ts` starts it by file name.
 */
import { resizeCover } from './catalog/resize-cover.worker.ts';
import type { EbookJob } from './reading/ebook/ebook-job.ts';
import { printBook } from './reading/printed-book.ts';
import { render } from './reading/render.worker.ts';
import { type RenderJob, type TextJob } from './reading/page-file.ts';
import type { TagPackJob } from './installing/git/tag-pack.ts';
import type { UploadJob } from './publishing/manuscript/upload.ts';
import { messageOf } from './platform/base/refusal.ts';

declare const self: Worker;

type Job = RenderJob | EbookJob | TagPackJob | UploadJob;

self.onmessage = async ({ data }: MessageEvent<Job>) => {
  try {
    self.postMessage({ result: await work(data) });
  } catch (error) {
    self.postMessage({ error: messageOf(error) });
  }
};

async function work(job: Job): Promise<unknown> {
  if (job.task === 'cover') return resizeCover(job);
  if (job.task === 'print') return printBook(job);
  if (isTextJob(job)) return render(job);
  if (job.task === 'tag-pack') return (await import('./installing/git/tag-pack.worker.ts')).makeTagPack(job);
  if (job.task === 'import') return (await import('./publishing/manuscript/upload.ts')).importUpload(job);
  // E-book code is loaded only when needed, since most of these Workers never make an e-book.
  return (await import('./reading/ebook/ebook.worker.ts')).workOnEbook(job);
}

self.postMessage('ready');

const isTextJob = (job: Job): job is TextJob => ['page', 'parts', 'outlines', 'text'].includes(job.task);
