import type { Order } from '../../../sales/order.ts';
import { sendPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import type { View } from '../frame/view.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { Button, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { ItemTitles } from '../parts/item-titles.tsx';

/** The form that turns a purchase into a code for somebody else. */
export function PresentForm() {
  return (
    <Form
      action="/claim/present"
      label="This is a present"
      confirm="You get a code to pass on. The person who enters it has the purchase, and you no longer have it."
    >
      <Button kind="quiet">This is a present</Button>
    </Form>
  );
}

/** Answers that form with the code, which no other page shows. */
export function sendPresent({ service }: RouteDeps, view: View, order: Order, code: string): Response {
  return sendPage(
    view,
    { title: 'A present' },
    <>
      <PageHeading
        title="A present"
        lead={
          <>
            This code opens <ItemTitles service={service} items={order.items} /> to the first person who
            enters it.
          </>
        }
      />
      <section class="secret stack">
        <CopyLine text={code} label={`Enter it at ${view.origin}/redeem; it is shown only once`} />
        <p>
          Keep it until it is used. If it gets lost, ask the stall for another and name order {order.ref}.
        </p>
      </section>
    </>,
  );
}
