import { normalForm } from '../platform/base/text.ts';
import type { Offered } from '../words/words.ts';

const DAY: Readonly<Record<Offered, string>> = {
  en: 'day',
  de: 'tag',
  es: 'día',
  fr: 'jour',
  'pt-BR': 'dia',
  ja: '日',
  'zh-Hans': '天',
};
const DAYS = new RegExp(`([0-9]{1,4})[\\s\\p{Pd}]*(?:${Object.values(DAY).join('|')})`, 'iu');

/** Returns the number of days in a guarantee, as 30 for "30 days" in any language of the pages; Infinity if it names none. */
export const guaranteedDays = (guarantee: string): number =>
  Number(DAYS.exec(normalForm(guarantee, 'NFKC'))?.[1] ?? Infinity);
