import type { Order } from '../../../sales/order.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { Field } from '../parts/field.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { ORDERS } from './order-parts.tsx';

/** The forms for the owner's acts on an order. */
export function OrderForms({ order }: { order: Order }) {
  const path = `${ORDERS}/${order.id}`;
  const isKnown = order.items.length > 0;
  return (
    <>
      {!isKnown && <Unmatched order={order} path={path} />}
      <section>
        <h2>Act on it</h2>
        <Form action={`${path}/attach`} label="Give it to an account">
          <div class="search">
            <Field
              label="Give it to the account of"
              name="email"
              type="email"
              value={order.account ?? order.email ?? ''}
              autocomplete="off"
              required
            />
            <Button kind="quiet">Give to account</Button>
          </div>
        </Form>
        <div class="actions">
          {isKnown && (
            <Form action={`${path}/grant`}>
              <Button kind="quiet">Grant anyway</Button>
            </Form>
          )}
          {order.claimedAt === null && order.email !== null && isKnown && (
            <Form action={`${path}/link`}>
              <Button kind="quiet">Create claim link</Button>
            </Form>
          )}
          <Form action={`${path}/replay`}>
            <Button kind="quiet">Read its events again</Button>
          </Form>
          {isKnown && (
            <ButtonLink href={`${path}/revoke`} kind="quiet">
              Revoke
            </ButtonLink>
          )}
          {order.state !== 'refunded' && (
            <ButtonLink href={`${path}/give-back`} kind="quiet">
              Mark as refunded
            </ButtonLink>
          )}
          <ButtonLink href={`${path}/erase`} kind="quiet">
            Erase the buyer
          </ButtonLink>
        </div>
      </section>
    </>
  );
}

/** A sale that no item names: grant it now, and the lines that make the next one match. */
function Unmatched({ order: { provider, products }, path }: { order: Order; path: string }) {
  return (
    <section class="stack">
      <h2>Which item is this?</h2>
      <Form action={`${path}/grant`} label="Say which item it is">
        <div class="search">
          <Field label="Slug of the item" name="slug" autocomplete="off" required />
          <Button>This is the item</Button>
        </div>
      </Form>
      {products.length > 0 && (
        <>
          <p>So that the next sale finds its item, add this to the item’s item.yaml:</p>
          <CopyLine text={`sell: {${provider}: [${products.map(quote).join(', ')}]}`} label="item.yaml" />
          <p>If it is not sold by this stall, add this to stall.yaml, and it is not shown again:</p>
          <CopyLine text={`notOurs: [${products.map(quote).join(', ')}]`} label="stall.yaml" />
        </>
      )}
    </section>
  );
}

/** The id as YAML text: some are digits alone. */
function quote(id: string): string {
  return JSON.stringify(id);
}
