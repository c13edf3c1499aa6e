/** Marks a text that everyone may read. */
export function SampleBadge() {
  return (
    <span class="badge" lang="en">
      Sample
    </span>
  );
}
