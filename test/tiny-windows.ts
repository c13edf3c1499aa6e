// Clients that ask and take nothing.
import { join } from 'node:path';

/** Opens `count` connections to a port of this machine, each with a request for `path` and a receive window of a few bytes. */
export async function openTinyWindows(port: number | string, count: number, path: string) {
  const client = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'tiny-window-client.ts'), String(port), String(count), path],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
  );
  const lines = client.stdout.pipeThrough(new TextDecoderStream()).getReader();
  if ((await lines.read()).done) throw new Error('The clients did not connect');
  return {
    client,
    /** Closes them, and gives how many were answered with which status. */
    async leave(): Promise<Readonly<Record<string, number>>> {
      void client.stdin.end();
      const statuses = (await lines.read()).value ?? '{}';
      await client.exited;
      return JSON.parse(statuses) as Record<string, number>;
    },
  };
}
