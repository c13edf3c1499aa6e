/**
 * Returns the SHA-256 of a text or of bytes in lower-case hex. By Bun, since `node:crypto` loads Node's streams into each
 * thread: 3 ms and 3 MB.
 */
export const sha256 = (data: string | Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(data).digest('hex');

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Reports whether an error says that the process or system has run out of file descriptors, which connections free as they end.
 */
export const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EMFILE', 'ENFILE'].includes(String(error.code));

/**
 * Returns the address of a Worker's file, among the sources or inside the executable. In the executable each Worker keeps its
 * path below `src`, while the code that starts it is bundled at the root. `path` is relative to `src`, without extension.
 */
export const workerUrl = (path: string): URL =>
  new URL(Bun.isStandaloneExecutable ? `./${path}.js` : `../../${path}.ts`, import.meta.url);

/** Returns Node's zlib, loaded on first use, since with its streams it costs each thread 3 ms and 4 MB. */
export const loadZlib = (): typeof import('node:zlib') => process.getBuiltinModule('node:zlib');
