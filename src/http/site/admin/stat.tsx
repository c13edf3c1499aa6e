/** One count at the head of a page, with its name; it belongs in `<dl class="stats">`. */
export function Stat({ name, count }: { name: string; count: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{count.toLocaleString('en')}</dd>
    </div>
  );
}
