import { Button, Form } from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';
import type { AccountOrder } from './order.ts';
import { stateAt } from './order.rule.ts';

export function Copies({ order, now }: { order: AccountOrder; now: number }) {
  const { orders: words } = useWords().library;
  const { ref, copies, copiesUsed: used } = order;
  if (copies === 0 || stateAt(order, now) !== 'paid') return null;
  const unseen = (text: string) => <span class="unseen">{text}</span>;
  return (
    <>
      <p>{words.copies({ used, copies })}</p>
      {used < copies && (
        <Form action={`/dashboard/orders/${ref}/copies`} confirm={words.newLinkNote}>
          <Button kind="quiet">{words.newLink({ unseen, ref })}</Button>
        </Form>
      )}
    </>
  );
}
