/** Links to the pages beside this one, if there are any. `names` are for lists that are not ordered by time. */
export function Pager({
  newer,
  older,
  names: [before, after] = ['Newer', 'Older'],
}: {
  newer: string | null;
  older: string | null;
  names?: readonly [string, string];
}) {
  if (newer === null && older === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {newer !== null && (
        <a rel="prev" href={newer}>
          ← {before}
        </a>
      )}
      {older !== null && (
        <a rel="next" href={older}>
          {after} →
        </a>
      )}
    </nav>
  );
}
