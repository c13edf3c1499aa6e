const collator = new Intl.Collator('en', { numeric: true });
const FIRST = /^(?:readme|index)\.[^.]+$/i;

/** Orders paths as people number them: `ch2` before `ch10`, a folder's index and README before its other files. */
export function naturalOrder(a: string, b: string): number {
  const [here, there] = [a.split('/'), b.split('/')];
  const at = here.findIndex((name, n) => name !== there[n]);
  const [one = '', other = ''] = [here[at], there[at]];
  const first = Number(FIRST.test(other)) - Number(FIRST.test(one));
  return first || collator.compare(one, other) || (a < b ? -1 : 1);
}
