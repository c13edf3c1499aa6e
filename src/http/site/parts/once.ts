import type { VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import { renderToString } from 'preact-render-to-string';
import { createKept } from '../../../kept.ts';

/** As many editions keep parts of their pages, some 20 KB each: a crawler of ten thousand items must not fill the memory. */
const MOST = 200;

/** Not the owner itself is kept: an edition that is no longer served may be large. */
const names = new WeakMap<object, object>();
const kept = createKept<Map<string, string>, object>(MOST);

/**
 * The HTML of a part of a page that follows from its owner and its name alone, such as the contents of an edition: rendered
 * once. It has no word of a visitor and at most one field, since its ids begin with the first; and an owner has few names.
 */
export function htmlOnce(owner: object, name: string, part: VNode): string {
  const key = names.getOrInsertComputed(owner, () => ({}));
  const parts = kept.get(key) ?? kept.set(key, new Map<string, string>());
  return parts.getOrInsertComputed(name, () => renderToString(part));
}

/** The same as an element among others. */
export const once = (owner: object, name: string, part: VNode): VNode =>
  jsxTemplate([htmlOnce(owner, name, part)]);
