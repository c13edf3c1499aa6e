import { expect, test } from 'bun:test';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openStall, temporaryDirectory } from '../helpers/harness.ts';

test('items on sale are readable by their owner only, even in a data directory that others may enter', async () => {
  const data = join(temporaryDirectory(), 'data');
  mkdirSync(data, { mode: 0o755 });
  await openStall({ config: { data } });
  const modes = ['artefacts', 'editions', 'bookstall.db'].map((name) => [
    name,
    (statSync(join(data, name)).mode & 0o777).toString(8),
  ]);
  expect(modes).toEqual([
    ['artefacts', '700'],
    ['editions', '700'],
    ['bookstall.db', '600'],
  ]);
});
