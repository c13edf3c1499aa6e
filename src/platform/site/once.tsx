import type { VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';
import { createKept } from '../base/cache.ts';
import type { Words } from '../../words/words.ts';
import { InWords } from './words.tsx';

/** The maximum length of all cached parts together, in UTF-16 units: a crawler of ten thousand items would fill the memory. */
const MOST_HTML = 4 * 1024 * 1024;

/** The keys of `kept` hold a number for each owner, such as an edition, so that `kept` does not keep the owners in memory. */
const numbers = new WeakMap<object, number>();
let owners = 0;
const kept = createKept<string>(MOST_HTML, ({ length }) => length);

/**
 * Renders a part of a page once for each `owner`, such as an edition, and language. The HTML must depend only on these and
 * `name`, never on the visitor. It may contain at most one form field, since the ids begin again in each part.
 */
export function htmlOnce(words: Words, owner: object, name: string, part: VNode): string {
  const key = `${numbers.getOrInsertComputed(owner, () => ++owners)} ${words.language} ${name}`;
  return kept.get(key) ?? kept.set(key, renderToString(<InWords words={words}>{part}</InWords>));
}

export const once = (words: Words, owner: object, name: string, part: VNode): VNode =>
  jsxTemplate([htmlOnce(words, owner, name, part)]);
