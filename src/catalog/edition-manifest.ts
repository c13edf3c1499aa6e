import type { Manifest } from '../item/item.ts';

/** The keys of item.yaml that belong to the files of an edition: they name its paths, or say how to read them. */
const KEYS = ['version', 'changes', 'language', 'cover', 'chapters', 'sample', 'include', 'formats'] as const;

type EditionKeys = Pick<Manifest, (typeof KEYS)[number]>;

/** The part of a manifest that belongs to its edition's files, as JSON. */
export function pickManifest(manifest: Manifest): string {
  return JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, manifest[key]])));
}

/** Today's manifest with the part that belongs to an edition. */
export function mergeManifest(
  today: Manifest,
  { version, manifest: picked }: { readonly version: string | null; readonly manifest: string },
): Manifest {
  return { ...today, ...(JSON.parse(picked) as EditionKeys), version };
}
