import type { Edition } from '../../catalog/edition.ts';
import type { FileRecord } from '../../catalog/file-record.ts';
import type { Artefacts } from './artefacts.ts';

/** The content of a file of the edition as the files endpoint gives it, from the verified artefact; '' if there is no such file. */
export async function readContent(
  artefacts: Pick<Artefacts, 'open'>,
  edition: Edition,
  path: string,
): Promise<string> {
  const file = edition.files.find((one) => one.path === path);
  if (file === undefined) return '';
  const artefact = Bun.file((await artefacts.open(edition, 'files')).file);
  const record = artefact.slice(file.json.start, file.json.end);
  return ((await record.json()) as FileRecord).content;
}
