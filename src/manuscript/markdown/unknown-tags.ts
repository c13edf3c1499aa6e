import type { Notes } from '../notes.ts';
import { mapOutsideCode, TAG } from './outside-code.ts';

/** Elements of HTML and SVG that may be in a Markdown text; whether a page shows them is the renderer's decision. */
const KNOWN = new Set(
  (
    'a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption center cite code col ' +
    'colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 ' +
    'h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta ' +
    'meter nav noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search ' +
    'section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot ' +
    'th thead time title tr track tt u ul var video wbr circle path rect line g polygon polyline text ellipse defs use'
  ).split(' '),
);
const NAME = /^<\/?([a-zA-Z][\w-]*)/;

/** Notes tags that no HTML has, such as those of another program's extension. */
export function noteUnknownTags(text: string, path: string, notes: Notes): void {
  mapOutsideCode(text, (prose) => {
    for (const [whole] of prose.matchAll(TAG)) {
      const tag = NAME.exec(whole)?.[1] ?? '';
      if (!KNOWN.has(tag.toLowerCase()) && !whole.startsWith('</'))
        notes.lookAt('Tags that no page shows', `<${tag}> (in ${path})`);
    }
    return prose;
  });
}
