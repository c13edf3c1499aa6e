/** Links to the pages beside this one; nothing where there are none. */
export function Pager({ newer, older }: { newer: string | null; older: string | null }) {
  if (newer === null && older === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {newer !== null && (
        <a rel="prev" href={newer}>
          ← Newer
        </a>
      )}
      {older !== null && (
        <a rel="next" href={older}>
          Older →
        </a>
      )}
    </nav>
  );
}
