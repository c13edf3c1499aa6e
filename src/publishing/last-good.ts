import { relative } from 'node:path';
import { artefactFile } from '../catalog/artefact.ts';
import { editionFile, openSavedEditions } from './saved-editions.ts';
import { isError } from './scan.ts';
import { readReport } from './publication.ts';

/**
 * Lists the files of items that are served from their last good edition because their folder has an error: the saved
 * edition and its compiled files, as paths in the data directory. A backup must have them: the folder cannot make them
 * again.
 */
export async function listLastGood(dataDirectory: string): Promise<readonly string[]> {
  const report = await readReport(dataDirectory);
  const broken =
    report?.items.filter(({ digest, problems }) => digest !== null && problems.some(isError)) ?? [];
  if (broken.length === 0) return [];
  const saved = (await openSavedEditions(dataDirectory)).editions();
  return broken.flatMap(({ kind, slug }) => {
    const edition = saved.get(`${kind} ${slug}`);
    if (edition === undefined) return [];
    const artefacts = Object.values(edition.artefacts).map((one) => artefactFile(dataDirectory, one));
    return [editionFile(dataDirectory, edition.manifest.kind, slug), ...artefacts].map((file) =>
      relative(dataDirectory, file),
    );
  });
}
