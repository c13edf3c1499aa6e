const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `812 B`, `49 KB`, `1.2 MB`: a count of bytes in steps of a thousand; from MB on, with one decimal below ten. */
export function formatBytes(count: number): string {
  const sizes = UNITS.map((unit, step) => ({ unit, text: rounded(count / 1000 ** step, step) }));
  const { unit, text } = sizes.find(({ text }) => Number(text) < 1000) ?? sizes[sizes.length - 1]!;
  return `${text} ${unit}`;
}

function rounded(size: number, step: number): string {
  return step > 1 && size < 9.95 ? String(Math.round(size * 10) / 10) : String(Math.round(size));
}
