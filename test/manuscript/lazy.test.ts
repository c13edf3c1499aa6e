import { expect, test } from 'bun:test';
import { runCli } from '../../src/cli/cli.ts';
import { smallEpub } from './make-epub.ts';
import { openImport } from './run-import.ts';

test('only an import loads what it reads manuscripts with', async () => {
  const isLoaded = () =>
    Object.keys(require.cache).some((path) =>
      /\/node_modules\/(?:turndown|saxes)\/|\/src\/manuscript\//.test(path),
    );
  const terminal = {
    out: () => {},
    err: () => {},
    isTerminal: false,
    isColoured: false,
    environment: {},
    exit: () => {},
  };
  await runCli(['--help'], terminal);
  expect(isLoaded()).toBe(false);
  const { run } = openImport({ 'a.epub': smallEpub('<p>x</p>') });
  expect((await run([], 'a.epub')).code).toBe(0);
  expect(isLoaded()).toBe(true);
});
