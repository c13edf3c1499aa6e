import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryDirectory } from '../../../harness.ts';

/** Opens a stall in a process of its own, uses it, and prints before and after the first message whether the SDK is loaded. */
const PROGRAM = `
  const { openApp } = await import('ROOT/src/app.ts');
  const { readConfig } = await import('ROOT/src/config/config.ts');
  const { mkdirSync } = await import('node:fs');
  mkdirSync('FOLDER/content');
  const app = await openApp(
    { ...readConfig({}, {}, false), content: 'FOLDER/content', data: 'FOLDER/data', host: '127.0.0.1', port: 0 },
    { log: () => {} },
  );
  await app.publish();
  const isLoaded = () => Object.keys(require.cache).some((path) => path.includes('@modelcontextprotocol'));
  const post = (body) => fetch(app.origin + '/mcp', {
    method: 'POST', body,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  });
  for (const path of ['/', '/connect', '/api/items', '/llms.txt', '/mcp']) await fetch(app.origin + path);
  await post('{');
  const before = isLoaded();
  const { status } = await post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  console.log(JSON.stringify([before, status, isLoaded()]));
  process.exit();
`;

test('the protocol is loaded with the first message, and not before', async () => {
  const root = join(import.meta.dir, '../../../..');
  const program = PROGRAM.replaceAll('ROOT', root).replaceAll('FOLDER', temporaryDirectory());
  const child = Bun.spawn([process.execPath, '--eval', program], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'inherit',
  });
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual([false, 200, true]);
});
