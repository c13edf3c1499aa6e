import { isError } from '../catalog/scan.ts';
import { readStall } from '../catalog/stall.ts';
import { defaultStall, type Stall } from '../item/stall.ts';
import type { Log } from '../log.ts';

/**
 * The stall's own name and looks. `refresh` reads stall.yaml; one with an error changes nothing but is logged, and
 * where none was good before, what can be read of it is used.
 */
export function createStall(content: string, log: Log) {
  let lastGood: Stall | null = null;
  let current: Stall = defaultStall;
  return {
    current: (): Stall => current,
    refresh(): void {
      const { stall, problems } = readStall(content);
      const errors = problems.filter(isError);
      if (errors.length === 0) lastGood = stall;
      current = lastGood ?? stall;
      for (const { sentence, remedy } of errors)
        log({
          event: 'stall-problem',
          message: `stall.yaml: ${sentence}. ${remedy}; until then ${lastGood === null ? 'its default is used' : 'the last good one is used'}`,
        });
    },
  };
}
