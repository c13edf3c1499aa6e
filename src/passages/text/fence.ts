// Fenced code blocks, CommonMark 0.31 §4.5.
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/** The fence that a line opens, or ''. */
export function opensFence(line: string): string {
  return FENCE.exec(line)?.[1] ?? '';
}

/** Whether a line closes the fence: as many of the same marks or more, and nothing else. */
export function closesFence(line: string, fence: string): boolean {
  const mark = opensFence(line);
  return mark.startsWith(fence) && line.trim() === mark;
}
