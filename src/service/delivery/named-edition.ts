import { type Artefact, artefactFile } from '../../catalog/artefact.ts';
import type { OpenedArtefact } from '../../catalog/artefact-shelf.ts';
import type { Edition } from '../../catalog/edition.ts';
import { keptDirectory } from '../../catalog/kept-editions.ts';
import { type Artefacts, artefactOf } from './artefacts.ts';
import type { WantedEdition } from './kept-edition.ts';
import type { OpenRenamed } from './renamed-archives.ts';

/** An edition whose manifest has the slug that was asked for, and its archive with that folder at its top. */
export type NamedEdition = { readonly edition: Edition; readonly body: OpenedArtefact };

type Dependencies = {
  readonly dataDirectory: string;
  readonly artefacts: Artefacts;
  readonly openRenamed: OpenRenamed;
};

/** Gives editions under slugs that their items had before, or have only now. */
export function createNamedEditions({ dataDirectory, artefacts, openRenamed }: Dependencies) {
  const named = new WeakMap<Edition, Map<string, Edition>>();

  /** The same object each time, so that what is prepared for an edition is prepared once. */
  const nameAs = (edition: Edition, slug: string, artefact: Artefact): Edition => {
    const all = named.get(edition) ?? new Map<string, Edition>();
    named.set(edition, all);
    const key = `${slug} ${artefact.name}`;
    const known = all.get(key) ?? {
      ...edition,
      manifest: { ...edition.manifest, slug },
      artefacts: { [artefact.kind]: artefact },
    };
    all.set(key, known);
    return known;
  };

  const openServed = async (edition: Edition, slug: string, kind: 'tar' | 'zip'): Promise<NamedEdition> => {
    // Verified first: it is made again if it is damaged.
    await artefacts.open(edition, 'tar');
    const file = artefactFile(dataDirectory, artefactOf(edition, 'tar'));
    const { artefact, opened } = await openRenamed(edition, slug, kind, file);
    return { edition: nameAs(edition, slug, artefact), body: opened };
  };

  return {
    openServed,
    /** The served edition, or an earlier one. */
    async openTar({ edition, body, folder }: WantedEdition, slug: string): Promise<NamedEdition> {
      if (body === null) return openServed(edition, slug, 'tar');
      const tar = artefactOf(edition, 'tar');
      if (folder === slug) return { edition: nameAs(edition, slug, tar), body };
      const file = artefactFile(keptDirectory(dataDirectory), tar);
      const { artefact, opened } = await openRenamed(edition, slug, 'tar', file);
      return { edition: nameAs(edition, slug, artefact), body: opened };
    },
  };
}

export type NamedEditions = ReturnType<typeof createNamedEditions>;
