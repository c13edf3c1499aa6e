// git's own server program, `git http-backend`: a process for each request, as a web server starts it by CGI.
import { join } from 'node:path';
import { own } from './child.ts';
import { scratch } from './stall-process.ts';

/** Serves a bare clone of the repository at a URL. */
export async function startGitBackend(url: string) {
  const root = scratch('git-backend');
  const clone = own(
    Bun.spawn(['git', 'clone', '-q', '--bare', url, join(root, 'item.git')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  if ((await clone.exited) !== 0) throw new Error(`Cannot clone ${url}`);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const child = Bun.spawn(['git', 'http-backend'], {
        env: {
          PATH: process.env['PATH'] ?? '',
          GIT_PROJECT_ROOT: root,
          GIT_HTTP_EXPORT_ALL: '1',
          GIT_PROTOCOL: request.headers.get('git-protocol') ?? '',
          PATH_INFO: pathname,
          QUERY_STRING: search.slice(1),
          REQUEST_METHOD: request.method,
          CONTENT_TYPE: request.headers.get('content-type') ?? '',
        },
        stdin: new Uint8Array(await request.arrayBuffer()),
        stdout: 'pipe',
        stderr: 'ignore',
      });
      const answer = Buffer.from(await new Response(child.stdout).arrayBuffer());
      const end = answer.indexOf('\r\n\r\n');
      const type = /^content-type: (.*)$/im.exec(answer.toString('latin1', 0, end))?.[1]?.trim() ?? '';
      return new Response(answer.subarray(end + 4), { headers: { 'Content-Type': type } });
    },
  });
  return { url: `http://127.0.0.1:${server.port}/item.git`, stop: () => void server.stop(true) };
}
