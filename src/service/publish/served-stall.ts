import { join } from 'node:path';
import { writeChecksummed, readChecksummed } from '../../catalog/checksummed-file.ts';
import { isError } from '../../catalog/scan.ts';
import { defaultEdition, readStall, type StallEdition } from '../../catalog/stall-edition.ts';
import type { Log } from '../../log.ts';

/** Written by this program's form of it alone; another form is read anew. */
const FORMAT = 1;

/**
 * The stall's own name and looks, and the files it shows. Its last good state is kept in the data directory and outlives a
 * restart: `recall` brings it back, once. `refresh` reads stall.yaml; one with an error changes nothing but is logged,
 * and where none was good before, what can be read of it is used.
 */
export function createServedStall(content: string, dataDirectory: string, log: Log) {
  const file = join(dataDirectory, 'stall.json');
  let lastGood: StallEdition | null = null;
  let current: StallEdition = defaultEdition;

  const keep = async (edition: StallEdition): Promise<void> => {
    const isKept = Bun.deepEquals(edition, lastGood);
    lastGood = edition;
    if (!isKept) await writeChecksummed(file, { format: FORMAT, ...edition });
  };

  return {
    current: (): StallEdition => current,
    async recall(): Promise<void> {
      const kept = (await readChecksummed(file)) as (StallEdition & { format: number }) | null;
      if (kept?.format !== FORMAT) return;
      const { format: _, ...edition } = kept;
      current = lastGood = edition;
    },
    async refresh(): Promise<void> {
      const { isThere: _, problems, ...edition } = readStall(content);
      const errors = problems.filter(isError);
      if (errors.length === 0)
        await keep(edition).catch((cause: unknown) =>
          log({ event: 'data-directory', message: `Cannot write to "${dataDirectory}": ${cause}` }),
        );
      current = lastGood ?? edition;
      for (const { sentence, remedy } of errors)
        log({
          event: 'stall-problem',
          message: `stall.yaml: ${sentence}. ${remedy}; until then ${lastGood === null ? 'its default is used' : 'the last good one is used'}`,
        });
    },
  };
}
