import { Refusal } from '../base/refusal.ts';
import type { Refused } from './handle-form.ts';

/** A refusal of one field of a form, with a sentence of its own or that of another refusal. */
export class FieldRefusal extends Refusal {
  constructor(
    readonly field: string,
    reason: string | Refusal,
  ) {
    super('invalid-request', typeof reason === 'string' ? reason : reason.message);
    if (typeof reason !== 'string') this.cause = reason;
  }
}

export async function refusedBeside<Value>(field: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof Refusal ? new FieldRefusal(field, error) : error;
  }
}

export const errorBeside = (refused: Refused | null | undefined, field: string): Refusal | null =>
  refused?.refusal instanceof FieldRefusal && refused.refusal.field === field ? refused.refusal : null;
