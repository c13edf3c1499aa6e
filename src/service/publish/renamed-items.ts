import type { Edition } from '../../catalog/edition.ts';
import { type ItemFolder, readText } from '../../catalog/scan.ts';
import { type Problem, quote, warning } from '../../item/problem.ts';
import { parseYaml } from '../../item/strict-yaml.ts';
import { keepEdition, type Publication } from './publication.ts';
import { RENAMED } from './report.ts';

/** A folder that has nothing for the readers of the item that it was. */
type Renamed = {
  readonly item: ItemFolder;
  readonly isDraft: boolean;
  readonly formerly: readonly string[];
  readonly id: string;
};

/**
 * The last good editions of items whose folders were renamed and are broken or, of skills, drafts. Each is served under its
 * old slug until the new folder is: as it was, or of a draft to its holders alone. `saved` holds editions by kind and slug.
 */
export function keepRenamed(
  compiled: readonly Publication[],
  folders: readonly ItemFolder[],
  saved: ReadonlyMap<string, Edition>,
): readonly Publication[] {
  const present = new Set(folders.map((folder) => nameOf(folder)));
  const missing = [...saved].flatMap(([name, edition]) => (present.has(name) ? [] : [edition]));
  if (missing.length === 0) return [];
  const outcomes = new Map(compiled.map((publication) => [nameOf(publication), publication]));
  const renamed = folders.flatMap((item) => renamedOf(item, outcomes.get(nameOf(item))));
  return missing.flatMap((edition) => {
    const { kind, slug, id } = edition.manifest;
    const now = renamed.find(
      (one) => one.item.kind === kind && (one.formerly.includes(slug) || (id !== null && one.id === id)),
    );
    return now === undefined ? [] : [keep(edition, now)];
  });
}

const nameOf = ({ kind, slug }: Pick<ItemFolder, 'kind' | 'slug'>): string => `${kind} ${slug}`;

/** A book that is a draft is known by its id, and serves its last edition itself. */
function renamedOf(item: ItemFolder, publication: Publication | undefined): readonly Renamed[] {
  const status = publication?.edition?.manifest.status;
  if (status === undefined) return [{ item, isDraft: false, ...namesIn(item) }];
  return status === 'draft' && item.kind === 'skill' ? [{ item, isDraft: true, ...namesIn(item) }] : [];
}

/** The former slugs and the id that an item.yaml names, whatever is wrong with the rest. */
function namesIn({ folder }: ItemFolder): Pick<Renamed, 'formerly' | 'id'> {
  const entries = readEntries(folder);
  const id = entries?.get('id');
  return {
    formerly: [entries?.get('formerly') ?? []].flat().filter((slug) => typeof slug === 'string'),
    id: typeof id === 'string' ? id : '',
  };
}

function readEntries(folder: string) {
  try {
    return parseYaml(readText(folder, 'item.yaml') ?? '', 'item.yaml').entries;
  } catch {
    return null;
  }
}

function keep(edition: Edition, { item, isDraft }: Renamed): Publication {
  const { manifest } = edition;
  const isOpen = !isDraft || manifest.status === 'archived';
  const kept = isOpen ? edition : { ...edition, manifest: { ...manifest, status: 'archived' as const } };
  return { ...keepEdition(kept), problems: [stillServed(manifest.slug, item, isDraft)] };
}

function stillServed(slug: string, { kind, slug: now }: ItemFolder, isDraft: boolean): Problem {
  const [why, remedy] = isDraft
    ? ['is a draft: those who hold it still get', `Write "status: published" in ${kind}s/${now}/item.yaml`]
    : ['has an error: readers still get', `Mend ${kind}s/${now}`];
  return warning(
    RENAMED,
    '',
    `It is ${quote(now)} now, which ${why} the last edition of ${quote(slug)}`,
    remedy,
  );
}
