import { join } from 'node:path';
import { type Catalog, createCatalog, type Edition } from '../catalog/catalog.ts';
import { readChecksummed, writeChecksummed } from '../platform/base/checksummed-file.ts';
import { isError } from './scan.ts';
import {
  addOffice,
  defaultEdition,
  readStall,
  type ReadStall,
  type StallEdition,
} from '../catalog/stall-edition.ts';
import { type Bundle, defaultStallManifest, type OfficeStall } from '../catalog/stall-manifest.rule.ts';
import { readMailFile } from '../mailing/mail-text.ts';
import type { Log } from '../platform/base/log.ts';
import type { JudgedBundle } from './check.ts';
import type { ReportedFile } from './publication.ts';

/** The version of the format of stall.json. A file with another version is ignored. */
const FORMAT = 1;

/**
 * Holds the stall's name, looks and files as they are served. At the start, `recall` loads their last good state from the
 * data directory. Later, `refresh` serves and saves what `read` returned. A stall.yaml with errors is logged and changes
 * nothing, unless there was never a good one: then those of its keys that can be read are used.
 */
export function createServedStall(
  content: string,
  dataDirectory: string,
  log: Log,
  office: () => OfficeStall,
) {
  const file = join(dataDirectory, 'stall.json');
  let lastGood: StallEdition | null = null;
  let current: StallEdition = defaultEdition;
  let faults: readonly ReportedFile[] = [];
  let merged: {
    readonly of: StallEdition;
    readonly office: OfficeStall;
    readonly stall: StallEdition;
  } | null = null;
  /** Adds what the office has set since the last publish, except bundles, which only a publish judges. */
  const served = (): StallEdition => {
    const set = office();
    if (merged?.of === current && merged.office === set) return merged.stall;
    const { stall, ...edition } = addOffice(current, set);
    merged = {
      of: current,
      office: set,
      stall: { ...edition, stall: { ...stall, bundles: current.stall.bundles } },
    };
    return merged.stall;
  };

  const save = async (edition: StallEdition): Promise<void> => {
    const isSaved = Bun.deepEquals(edition, lastGood);
    lastGood = edition;
    if (!isSaved) await writeChecksummed(file, { format: FORMAT, ...edition });
  };

  return {
    current: served,
    bundles: (): readonly Bundle[] => current.stall.bundles,
    faults: (): readonly ReportedFile[] => faults,
    /**
     * Reads stall.yaml. If it has an error and an earlier one had none, its bundles and defaults are replaced by the served
     * ones. With `isKept`, returns what is served.
     */
    read(isKept = false): ReadStall {
      if (isKept) return { ...served(), isThere: true, problems: [] };
      const read = readStall(content, office());
      const isGood = lastGood === null || !read.problems.some(isError);
      const { bundles, defaults } = current.stall;
      return isGood ? read : { ...read, stall: { ...read.stall, bundles, defaults } };
    },
    async recall(): Promise<void> {
      const saved = (await readChecksummed(file)) as (StallEdition & { format: number }) | null;
      if (saved?.format !== FORMAT) return;
      const { format: _, ...edition } = saved;
      // Keys that an older version of this program did not save get their default values.
      current = lastGood = {
        ...defaultEdition,
        ...edition,
        stall: { ...defaultStallManifest, ...edition.stall },
      };
    },
    async refresh(read: ReadStall, bundles: readonly JudgedBundle[] = []): Promise<void> {
      const { isThere: _, problems, ...whole } = read;
      const edition = {
        ...whole,
        stall: { ...whole.stall, bundles: bundles.filter(isFlawless).map(({ bundle }) => bundle) },
      };
      const errors = [...problems, ...bundles.flatMap((one) => one.problems)].filter(isError);
      if (errors.length === 0)
        await save(edition).catch((cause: unknown) =>
          log({ event: 'data-directory', message: `Cannot write to "${dataDirectory}": ${cause}` }),
        );
      current = { ...(lastGood ?? edition), mails: edition.mails };
      const instead = lastGood === null ? 'its default is used' : 'the last good one is used';
      const mails = Object.entries(edition.mails).map(([path, text]) => ({
        path,
        problems: readMailFile(path, text).problems,
        instead: "Bookstall's own words are used",
      }));
      faults = [{ path: 'stall.yaml', problems: errors, instead }, ...mails].filter(
        (file) => file.problems.length > 0,
      );
      for (const { path, problems: found, instead: used } of faults)
        for (const { sentence, remedy } of found)
          log({
            event: 'stall-problem',
            message: `${path}: ${sentence}. ${remedy}; until then ${used}`,
          });
    },
  };
}

export type ServedStall = ReturnType<typeof createServedStall>;

const isFlawless = ({ problems }: JudgedBundle): boolean => !problems.some(isError);

/** Holds the served catalog. It is replaced as a whole, so that running requests go on with theirs. */
export function createServedCatalog() {
  let catalog: Catalog = createCatalog([]);
  const listeners: ((catalog: Catalog) => void)[] = [];
  const swap = (next: Catalog): void => {
    catalog = next;
    for (const listener of listeners) listener(catalog);
  };
  return {
    current: (): Catalog => catalog,
    swap,
    onSwap: (listener: (catalog: Catalog) => void): void => void listeners.push(listener),
    /** Serves `rebuilt` in place of `edition`, if `edition` is still served. Returns `rebuilt` in either case. */
    replace(edition: Edition, rebuilt: Edition): Edition {
      const next = catalog.editions.map((one) => (one === edition ? rebuilt : one));
      if (catalog.editions.includes(edition)) swap(createCatalog(next, catalog.former, catalog));
      return rebuilt;
    },
  };
}

export type ServedCatalog = ReturnType<typeof createServedCatalog>;
