/** Loaded before each test file: tells the runner that the file goes on, since no time limit of Bun ends a loop or a load without end. */
import { afterAll, afterEach, beforeEach } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEATS } from './hang.ts';

const beat = join(process.env[BEATS] ?? '.', String(process.pid));
let begun = 0;

const tell = (): void => writeFileSync(beat, JSON.stringify({ file: Bun.main, begun }));

tell();
beforeEach(() => {
  begun++;
  tell();
});
afterEach(tell);
afterAll(() => rmSync(beat, { force: true }));
