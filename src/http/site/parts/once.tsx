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

/** Stands for an owner as the key of `kept`, so that a large edition is freed once it is no longer served. */
const names = new WeakMap<object, object>();
const kept = createKept<Map<string, string>, object>(MOST_OWNERS);

/**
 * Renders a part of a page, such as the contents of an edition, once for its owner and each language. The HTML depends on the
 * owner, the language and the name alone, and has no word of a visitor. It has at most one field, since ids are counted anew
 * in each part. An owner has few names.
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
