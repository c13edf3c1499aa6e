import { NOT_COVERED } from './prompt.ts';

/** The longest beginning that is held back. */
const LONGEST = 200;

/**
 * Reads the beginning of an answer: if it is NOT_COVERED, the whole answer is dropped. `push` and `end` return the text to
 * show.
 */
export function createCoverageFilter() {
  let held: string | null = '';
  let isCovered = true;

  const read = (isEnd: boolean): string => {
    const start = (held ?? '').trimStart();
    held = start;
    const word = start.replace(/^[\s*_"“`]+/, '');
    if (word.startsWith(NOT_COVERED)) {
      isCovered = false;
      return '';
    }
    if (!isEnd && start.length < LONGEST && NOT_COVERED.startsWith(word)) return '';
    held = null;
    return start;
  };

  return {
    isCovered: (): boolean => isCovered,
    push(text: string): string {
      if (!isCovered) return '';
      if (held === null) return text;
      held += text;
      return read(false);
    },
    end: (): string => (held === null || !isCovered ? '' : read(true)),
  };
}
