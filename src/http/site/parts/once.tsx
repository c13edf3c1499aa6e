import type { VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';
import { createKept } from '../../../kept.ts';
import type { Words } from '../../../words/words.ts';
import { InWords } from './words.tsx';

/** As many editions keep parts of their pages, some 20 KB each: a crawler of ten thousand items must not fill the memory. */
const MOST = 200;

/** The owner itself is not kept: an edition that is no longer served may be large. */
const names = new WeakMap<object, object>();
const kept = createKept<Map<string, string>, object>(MOST);

/**
 * Renders a part of a page once for its owner and each language, such as the contents of an edition. The HTML depends on
 * the owner, the language and the name alone, has no word of a visitor, and has at most one field, since its ids begin with the
 * first. An owner has few names.
 */
export function htmlOnce(words: Words, owner: object, name: string, part: VNode): string {
  const key = names.getOrInsertComputed(owner, () => ({}));
  const parts = kept.get(key) ?? kept.set(key, new Map<string, string>());
  return parts.getOrInsertComputed(`${words.language} ${name}`, () =>
    renderToString(<InWords words={words}>{part}</InWords>),
  );
}

/** The same as an element. */
export const once = (words: Words, owner: object, name: string, part: VNode): VNode =>
  jsxTemplate([htmlOnce(words, owner, name, part)]);
