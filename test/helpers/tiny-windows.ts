// Clients that ask and take nothing.
import { join } from 'node:path';

/**
 * Opens `count` connections to a port of this machine, each with a request for one of `paths` in turn (a GET, or a POST of
 * `body`) and a receive window of a few bytes.
 */
export async function openTinyWindows(
  port: number | string,
  count: number,
  paths: string | readonly string[],
  headers: readonly string[] = [],
  body?: string,
) {
  const program = join(import.meta.dir, 'tiny-window-client.ts');
  const words = [
    String(port),
    String(count),
    JSON.stringify([paths].flat()),
    JSON.stringify(headers),
    ...(body === undefined ? [] : [body]),
  ];
  const client = Bun.spawn([process.execPath, program, ...words], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
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
