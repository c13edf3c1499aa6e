import { version } from '../package.json';

// Defined by `bun run build`; undefined in a program that runs from its sources.
declare const BUILD_COMMIT: string | undefined;

/** The program's version. */
export const VERSION: string = version;

/** The commit that this program was built from, with `-dirty` if files had changed since; null if the build knew none. */
export const COMMIT: string | null = (typeof BUILD_COMMIT === 'string' && BUILD_COMMIT) || null;
