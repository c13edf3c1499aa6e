import type { Words } from '../words.ts';

export const reading: Words['reading'] = {};
