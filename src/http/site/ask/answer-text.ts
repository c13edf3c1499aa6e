import type { AskEvent } from '../../../service/answer.ts';
import { MARK, showText } from './answer-inline.ts';
import { createAnswerMarkdown } from './answer-markdown.ts';

type Chunk = Pick<Extract<AskEvent, { type: 'chunk' }>, 'text' | 'cites' | 'isPlain'>;

/** An answer's chunks as HTML: each marker is a link to its note, and what no model wrote is shown as it is. */
export function createAnswerText() {
  const markdown = createAnswerMarkdown();
  let isPlain = false;
  const endPlain = (): string => {
    const end = isPlain ? '</p>' : '';
    isPlain = false;
    return end;
  };
  return {
    push(chunk: Chunk): string {
      const text = chunk.text.replaceAll(MARK, '\ufffd');
      const words = chunk.cites === undefined ? text : `${MARK}${chunk.cites}${MARK}`;
      if (chunk.isPlain !== true && !(isPlain && chunk.cites !== undefined))
        return endPlain() + markdown.push(words);
      const begin = isPlain ? '' : `${markdown.end()}<p>`;
      isPlain = true;
      return begin + showText(words);
    },
    /** What is still held or open. */
    end: (): string => endPlain() + markdown.end(),
  };
}
