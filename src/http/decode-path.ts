/** The path below a wildcard, decoded; a malformed escape stays as it is, and names no file. */
export function decodePath(rest: string): string {
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
