// The table of what MCP's authorization demands of servers, authorization.md.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROWS = readFileSync(join(import.meta.dir, 'authorization.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!section|---)/.test(line))
  .map((line) => line.slice(1, -1).split(' | '));

/** Finds the tests that a cell names; null for a name that its file does not have. */
const testsIn = (cell: string) =>
  cell.split('<br>').map((one) => {
    const [, file = '', name = ''] = /^`(\S+\.test\.ts)` (.+)$/.exec(one.trim()) ?? [];
    const path = join(import.meta.dir, file);
    const text = file !== '' && existsSync(path) ? readFileSync(path, 'utf8') : '';
    return name !== '' && ["'", '`'].some((mark) => text.includes(`${mark}${name}${mark}`)) ? one : null;
  });

test.each(ROWS)('%s: %s is tested, or says why not', (...cells) => {
  expect(cells).toHaveLength(3);
  const [, , shown = ''] = cells;
  expect(/^(?:No|Missed): \S/.test(shown.trim()) || !testsIn(shown).includes(null)).toBeTrue();
});
