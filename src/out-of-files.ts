/** Whether the process or the system has no file descriptor left: a passing state, with many connections or downloads open. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EMFILE', 'ENFILE'].includes(String(error.code));
}
