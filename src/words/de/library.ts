import type { Words } from '../words.ts';

export const library: Words['library'] = {};
