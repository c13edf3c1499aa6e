import { DAY } from '../../../duration.ts';
import { Refusal } from '../../../refusal.ts';
import type { CodeRequest, NamedBundle } from '../../../service/codes.ts';
import type { Form } from '../../form.ts';

/** The values typed into the form that creates codes. */
export type CodeForm = Readonly<Record<'slug' | 'count' | 'uses' | 'until' | 'order' | 'note', string>>;

export const EMPTY_CODE_FORM: CodeForm = { slug: '', count: '1', uses: '1', until: '', order: '', note: '' };

/** Reads the fields of the form. */
export function readCodeForm(form: Form): CodeForm {
  const text = (name: string): string => form.text(name).trim();
  const [count, uses] = [text('count') || '1', text('uses') || '1'];
  return { slug: text('slug'), count, uses, until: text('until'), order: text('order'), note: text('note') };
}

/** The codes that the form asks for. They can be used until the end of their last day. */
export function readCodeRequest(typed: CodeForm, bundles: readonly NamedBundle[]): CodeRequest {
  const { slug, count, uses, until, order, note } = typed;
  return {
    slug,
    bundles,
    note,
    count: readNumber(count, 'codes'),
    uses: readNumber(uses, 'uses'),
    until: until === '' ? null : endOf(until),
    orderId: order === '' ? null : readNumber(order, 'the order'),
  };
}

function endOf(day: string): string {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  if (!Number.isNaN(start)) return new Date(start + DAY).toISOString();
  throw new Refusal(
    'invalid-request',
    `Cannot read the last day "${day.slice(0, 40)}": write it as 2027-01-31`,
  );
}

function readNumber(text: string, name: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Refusal(
    'invalid-request',
    `Cannot read "${text.slice(0, 40)}" as the number of ${name}: give a whole number from 1`,
  );
}
