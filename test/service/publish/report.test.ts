import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeReport, readReport } from '../../../src/service/publish/publish.ts';
import { temporaryDirectory } from '../../harness.ts';

test.each([
  ['emptied by a power cut', ''],
  ['cut short', '{"at":1,'],
])('a report %s reads as none, and the next one takes its place', async (_, text) => {
  const data = temporaryDirectory();
  writeFileSync(join(data, 'publication.json'), text);
  expect(await readReport(data)).toBeNull();
  await writeReport(data, { at: 7, fault: null, items: [] });
  expect(await readReport(data)).toEqual({ at: 7, fault: null, items: [] });
});
