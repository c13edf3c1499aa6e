import type { CompilerJob } from '../../src/publishing/compile-pool.ts';
import { doCompilerJob } from '../../src/publishing/compiler.worker.ts';

/**
 * A compiler in the thread of the tests, with the messages of a Worker: importing the sources into another thread costs
 * far more than the jobs of a small stall. No job begins before `begin`.
 */
export function startCompilerHere(begin?: Promise<void>): Worker {
  const compiler = {
    onmessage: null as ((event: MessageEvent) => void) | null,
    async postMessage(job: CompilerJob) {
      if (begin !== undefined) await begin;
      const result = await doCompilerJob(structuredClone(job));
      compiler.onmessage?.(new MessageEvent('message', { data: { result: structuredClone(result) } }));
    },
    terminate(): void {
      compiler.onmessage = null;
    },
  };
  queueMicrotask(() => compiler.onmessage?.(new MessageEvent('message', { data: 'ready' })));
  return compiler as unknown as Worker;
}
