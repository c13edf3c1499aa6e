import { engines, version } from '../package.json';

/** The program's version. */
export const VERSION: string = version;

/** The range of Bun versions it may run on. */
export const BUN_RANGE: string = engines.bun;
