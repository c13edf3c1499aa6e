import { NOT_COVERED } from './prompt.ts';

const THINK = '<think>';
const THOUGHT = '</think>';
/** The longest prefix that is held back. */
const LONGEST = 200;

/**
 * Reads the beginning of an answer. Thinking in its text is dropped, and so is NOT_COVERED with everything after it.
 * `push` and `end` return the text to show.
 */
export function createAnswerPrefix() {
  let held: string | null = '';
  let isCovered = true;
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

  function read(isEnd: boolean): string {
    const start = (held ?? '').trimStart();
    held = start;
    if (start.startsWith(THINK)) {
      const end = start.indexOf(THOUGHT);
      // Only the characters that may begin the closing tag are kept.
      if (end < 0) held = THINK + start.slice(THINK.length).slice(1 - THOUGHT.length);
      if (end < 0) return '';
      held = start.slice(end + THOUGHT.length);
      return read(isEnd);
    }
    const word = start.replace(/^[\s*_"“`]+/, '');
    if (word.startsWith(NOT_COVERED)) {
      isCovered = false;
      return '';
    }
    const isOpen = start === '' || THINK.startsWith(start) || NOT_COVERED.startsWith(word);
    if (isOpen && !isEnd && start.length < LONGEST) return '';
    held = null;
    return start;
  }
}
