import type { Words } from '../words.ts';

export const refusals: Words['refusals'] = {};
