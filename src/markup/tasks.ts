// GFM 0.29 §5.3, task list items.
import type { MarkdownIt } from 'markdown-it';
import type { Positioned } from './positions.ts';

const TASK = /^\[([ xX])\](?=[ \t\n])/;

/** Has a list item that begins with `[ ]` or `[x]` begin with a `task` token, whose `info` says that it is done. */
export function useTasks(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'tasks', ({ tokens, Token }) => {
    tokens.forEach(({ children, content }, n) => {
      const isItem = tokens[n - 2]?.type === 'list_item_open' && tokens[n - 1]?.type === 'paragraph_open';
      const text: Positioned | undefined = children?.[0];
      const box = TASK.exec(content);
      if (!isItem || box === null || text?.type !== 'text' || !text.content.startsWith(box[0])) return;
      text.content = text.content.slice(box[0].length);
      if (text.at !== undefined) text.at += box[0].length;
      const task = new Token('task', '', 0);
      task.info = box[1] === ' ' ? '' : 'done';
      children!.unshift(task);
    });
  });
}
