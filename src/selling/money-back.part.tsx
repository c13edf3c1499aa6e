import { When } from '../platform/site/data-table.tsx';
import { Button, Field, Form } from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';
import { LONGEST_REASON, mayAskBack } from './money-back.ts';
import { stateAt } from './order.rule.ts';
import type { AccountOrder } from './order.ts';
import type { Stall } from './stall.ts';

/** The form by which a buyer asks for the money back, or the day on which they did. */
export function MoneyBack({ stall, order }: { readonly stall: Stall; readonly order: AccountOrder }) {
  const { moneyBack: words } = useWords().library.orders;
  const { ref, askedAt } = order;
  if (askedAt !== null)
    return stateAt(order, stall.now()) === 'paid' && <p>{words.asked({ day: <When at={askedAt} /> })}</p>;
  if (!mayAskBack(stall, order)) return null;
  return (
    <details>
      <summary>
        {words.ask}
        <span class="unseen"> {ref}</span>
      </summary>
      <Form action={`/dashboard/orders/${ref}/money-back`} label={`${words.ask} ${ref}`}>
        <Field label={words.reason} name="reason" autocomplete="off" maxLength={LONGEST_REASON} />
        <Button kind="quiet">{words.ask}</Button>
      </Form>
    </details>
  );
}
