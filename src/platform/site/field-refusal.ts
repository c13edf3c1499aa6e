import { Refusal } from '../base/refusal.ts';
import type { Refused } from './handle-form.ts';

export class FieldRefusal extends Refusal {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super('invalid-request', message);
  }
}

export async function refusedBeside<Value>(field: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof Refusal ? new FieldRefusal(field, error.message) : error;
  }
}

/** Returns the sentence for a field of a refused form; null if this field was not refused. */
export const errorBeside = (refused: Refused | null | undefined, field: string): string | null =>
  refused?.refusal instanceof FieldRefusal && refused.refusal.field === field
    ? refused.refusal.message
    : null;
