import type { VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';
import { createKept } from '../base/cache.ts';
import type { Words } from '../../words/words.ts';
import { InWords } from './words.tsx';

/**
 * The maximum length of all parts that are kept, in UTF-16 units. Without a limit, a crawler that visits ten thousand items would
 * fill the memory.
 */
const MOST_HTML = 4 * 1024 * 1024;

/** Numbers stand for owners, such as editions, in the keys of `kept`, so that `kept` does not keep the owners in memory. */
const numbers = new WeakMap<object, number>();
let owners = 0;
const kept = createKept<string>(MOST_HTML, ({ length }) => length);

/**
 * Renders a part of a page once for its `owner`, such as an edition, and each language. The HTML must depend only on these and
 * `name`, never on the visitor. It may contain one form field, since ids are counted anew in each part.
 */
export function htmlOnce(words: Words, owner: object, name: string, part: VNode): string {
  const key = `${numbers.getOrInsertComputed(owner, () => ++owners)} ${words.language} ${name}`;
  return kept.get(key) ?? kept.set(key, renderToString(<InWords words={words}>{part}</InWords>));
}

/** Renders a part of a page once, as `htmlOnce` does, and returns it as an element. */
export const once = (words: Words, owner: object, name: string, part: VNode): VNode =>
  jsxTemplate([htmlOnce(words, owner, name, part)]);
