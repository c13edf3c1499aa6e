import { normalForm } from '../platform/base/text.ts';

const DAYS = /([0-9]{1,4})[\s\p{Pd}]*(?:day|tag|día|jour|dia|日|天)/iu;

/** Returns the days that a guarantee names, as "30 days" in each language of the pages; Infinity if it names none. */
export const guaranteedDays = (guarantee: string): number =>
  Number(DAYS.exec(normalForm(guarantee, 'NFKC'))?.[1] ?? Infinity);
