import { version } from '../package.json';

/** The program's version. */
export const VERSION: string = version;
