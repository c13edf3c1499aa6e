import type { Artefact } from '../../catalog/artefact.ts';
import type { CompilePool } from '../../catalog/compile-pool.ts';
import { type Edition, keyOf } from '../../catalog/edition.ts';
import { keepTar } from '../../catalog/kept-editions.ts';
import type { RefreshJob } from '../../catalog/refresh-job.ts';
import type { Restoration } from '../../catalog/restore.ts';
import type { Manifest } from '../../item/item.ts';
import type { Problem } from '../../item/problem.ts';
import { compileFailure } from './compile-failure.ts';
import { type MakeRoom, retryWithRoom } from './disk-room.ts';

type Dependencies = {
  readonly pool: CompilePool;
  readonly makeRoom: MakeRoom;
  readonly jobOf: (edition: Edition) => RefreshJob;
};

/** Compiles kept editions again, each once for as long as its item serves it with the same manifest. */
export function createRestoredEditions({ pool, makeRoom, jobOf }: Dependencies) {
  const restored = new Map<string, { readonly from: Restoration; readonly edition: Edition }>();

  const compile = async (own: Edition, from: Restoration): Promise<Edition | Problem> => {
    try {
      const { edition, problems } = await retryWithRoom(makeRoom, () => pool.restore(jobOf(own), from));
      return edition ?? problems[0] ?? compileFailure('cannot-roll-back', 'restore', 'nothing was compiled');
    } catch (cause) {
      return compileFailure('cannot-roll-back', 'restore', cause);
    }
  };

  return {
    /** The kept edition of `own`'s item, with `manifest`; the problem if its archive is missing or damaged. */
    async restore(
      own: Edition,
      { digest, tar }: { readonly digest: string; readonly tar: string },
      manifest: Manifest,
    ): Promise<Edition | Problem> {
      const from: Restoration = { tar: JSON.parse(tar) as Artefact, digest, manifest };
      const known = restored.get(keyOf(own));
      if (known !== undefined && Bun.deepEquals(known.from, from)) return known.edition;
      const edition = await compile(own, from);
      if (!('artefacts' in edition)) return edition;
      restored.set(keyOf(own), { from, edition });
      // Under another slug it has another body, which is to be kept when this one is superseded.
      const { tar: body } = edition.artefacts;
      if (body !== undefined) await keepTar(jobOf(own).dataDirectory, body).catch(() => {});
      return edition;
    },
    /** Forgets the edition of an item that no longer serves it. */
    forget: (own: Edition): void => void restored.delete(keyOf(own)),
    /** Compiles a restored edition again; null for another one, and if its kept archive is damaged too. */
    async rebuild(edition: Edition): Promise<Edition | null> {
      const known = restored.get(keyOf(edition));
      if (known === undefined || known.edition.artefacts !== edition.artefacts) return null;
      const rebuilt = await compile(edition, known.from);
      if (!('artefacts' in rebuilt)) return null;
      restored.set(keyOf(edition), { ...known, edition: rebuilt });
      return edition.draft === undefined
        ? rebuilt
        : { ...edition, files: rebuilt.files, artefacts: rebuilt.artefacts };
    },
  };
}

export type RestoredEditions = ReturnType<typeof createRestoredEditions>;
