import { type Marking, type NamedMarking, tagsOf } from '../../../src/reading/markup/rendered.ts';

/** The HTML with the marking put in. */
export const putMarks = (html: string, marking: Marking): string => putAll(html, [{ id: 'mark', marking }]);

/** The HTML with all the markings put in. */
export function putAll(html: string, markings: readonly NamedMarking[]): string {
  let [marked, last] = ['', 0];
  for (const { at, tag } of tagsOf(markings)) {
    marked += html.slice(last, at) + tag;
    last = at;
  }
  return marked + html.slice(last);
}
