import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepTar } from '../../src/catalog/artefact.ts';
import { restoreItem } from '../../src/publishing/refresh.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import { temporaryDirectory } from '../helpers/harness.ts';
import { compile, makeItem } from './item-folder.ts';

test('an edition from before, whose questions.yaml went to readers, is restored with it', async () => {
  const item = makeItem({ 'questions.yaml': 'for: readers\n' });
  const dataDirectory = temporaryDirectory();
  const { artefacts, digest, manifest } = compile({ ...item, sharesQuestions: true }, dataDirectory);
  await keepTar(dataDirectory, artefacts.tar!);
  writeFileSync(join(item.folder, 'questions.yaml'), '01.md#the-heron: [How does it sleep]\n');
  const job = {
    item,
    previous: null,
    dataDirectory,
    limits: defaultLimits,
    rebuild: false,
    settledBefore: null,
  };
  const { edition, problems } = await restoreItem(
    job,
    { tar: artefacts.tar!, digest, manifest },
    () => false,
  );
  expect(problems).toEqual([]);
  expect(edition?.files.map(({ path }) => path)).toEqual(['01.md', 'questions.yaml']);
  expect(edition?.questions).toBeUndefined();
});
