import type { VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';
import { createKept } from '../../../kept.ts';
import type { Words } from '../../../words/words.ts';
import { InWords } from './words.tsx';

/**
 * The maximum number of objects, such as editions, whose rendered parts are kept. The parts of one take about 20 KB, so without
 * a limit a crawler that visits ten thousand items would fill the memory.
 */
const MOST_OWNERS = 200;

/** Stands for an owner, such as an edition, as the key in `kept`, so that `kept` does not keep the edition itself in memory. */
const names = new WeakMap<object, object>();
const kept = createKept<Map<string, string>, object>(MOST_OWNERS);

/**
 * Renders a part of a page once for its `owner`, such as an edition, and each language. The HTML must depend only on these and
 * `name`, never on the visitor. It may contain one form field, since ids are counted anew in each part.
 */
export function htmlOnce(words: Words, owner: object, name: string, part: VNode): string {
  const key = names.getOrInsertComputed(owner, () => ({}));
  const parts = kept.get(key) ?? kept.set(key, new Map<string, string>());
  return parts.getOrInsertComputed(`${words.language} ${name}`, () =>
    renderToString(<InWords words={words}>{part}</InWords>),
  );
}

/** Renders a part of a page once, as `htmlOnce` does, and returns it as an element. */
export const once = (words: Words, owner: object, name: string, part: VNode): VNode =>
  jsxTemplate([htmlOnce(words, owner, name, part)]);
