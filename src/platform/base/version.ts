import { version } from '../../../package.json';

// Defined by `bun run build`; undefined in a program that runs from its sources.
declare const BUILD_COMMIT: string | undefined;

export const VERSION: string = version;

/** The git commit from which this program was built, with `-dirty` if files had uncommitted changes; null if it is unknown. */
export const COMMIT: string | null = (typeof BUILD_COMMIT === 'string' && BUILD_COMMIT) || null;
