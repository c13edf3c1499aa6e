import { type Marking, tagsOf } from '../../src/markup/rendered.ts';

/** The HTML with the marking put in. */
export function putMarks(html: string, marking: Marking): string {
  let [marked, last] = ['', 0];
  for (const { at, tag } of tagsOf([{ id: 'mark', marking }])) {
    marked += html.slice(last, at) + tag;
    last = at;
  }
  return marked + html.slice(last);
}
