import { NOT_COVERED } from './prompt.ts';

const THINK = '<think>';
const THOUGHT = '</think>';
/** Of marks before a word that may be the one. */
const LONGEST = 200;

/**
 * Reads how an answer begins: thinking that a model writes into its text is dropped, and the word that says the book
 * does not cover the question is taken out, with all that follows. `push` and `end` give the text to show.
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
      // Of a thought without an end, only what may begin its mark is kept.
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
