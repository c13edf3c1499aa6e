/** The ids of the page's own elements, which no element of a text may get. */
const RESERVED = ['mark', 'main'];

const READABLE = /^[\p{L}\p{N}_.-]{1,100}$/u;

/** Matches the characters that GitHub leaves out of a heading's id. */
const LEFT_OUT = /[^\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\- ]/gu;

/**
 * Creates the ids of one text. With `anchors` false no id chosen by an author is kept, since the page also has ids from
 * elsewhere.
 */
export function createIds(anchors = true) {
  const taken = new Map<string, number>(RESERVED.map((id) => [id, 0]));
  return {
    /** Returns a heading's id by GitHub's rules; the second of the same name gets `-1`. */
    forHeading(title: string): string {
      const slug = title.toLowerCase().replace(LEFT_OUT, '').replaceAll(' ', '-') || 'section';
      let id = slug;
      while (taken.has(id)) {
        const count = taken.get(slug)! + 1;
        taken.set(slug, count);
        id = `${slug}-${count}`;
      }
      taken.set(id, 0);
      return id;
    },
    claim(wanted: string | undefined): string | null {
      if (!anchors || wanted === undefined || !READABLE.test(wanted) || taken.has(wanted)) return null;
      taken.set(wanted, 0);
      return wanted;
    },
  };
}

export type Ids = ReturnType<typeof createIds>;
