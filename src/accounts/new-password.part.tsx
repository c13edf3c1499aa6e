import { Field } from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './password.rule.ts';

export const NEW_PASSWORD = {
  type: 'password',
  autocomplete: 'new-password',
  minLength: SHORTEST_PASSWORD,
  maxLength: LONGEST_PASSWORD,
  required: true,
} as const;

export function NewPassword() {
  const { frame } = useWords();
  const hint = frame.passwordHint({ fewest: SHORTEST_PASSWORD });
  return <Field label={frame.password} name="password" hint={hint} {...NEW_PASSWORD} />;
}
