import { createJobQueue, type RenderTimes, type StartWorker } from '../platform/base/worker-queue.ts';
import type { RenderJob, RenderResult } from './page-file.ts';

export function createRenderQueue(start: StartWorker, times?: RenderTimes) {
  const { run, close } = createJobQueue(start, times);
  return {
    run: <Job extends RenderJob>(job: Job, limit?: number) => run(job, limit) as Promise<RenderResult<Job>>,
    close,
  };
}
