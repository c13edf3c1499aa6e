import { isAnnounced, type Manifest } from '../catalog/item.rule.ts';
import { Button, EmailField, Form } from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';

/** The form that subscribes an address: to one mail when an announced `item` is published, or else to the stall's news. */
export function NewsField({ item }: { readonly item?: Manifest }) {
  const { subscribe } = useWords().account;
  const { title, hint, button } = subscribe[item !== undefined && isAnnounced(item) ? 'told' : 'news'];
  return (
    <section>
      <h2>{title}</h2>
      <Form action="/news" label={title}>
        {item !== undefined && <input type="hidden" name="item" value={item.slug} />}
        <EmailField autocomplete="email" hint={hint} />
        <Button kind="quiet">{button}</Button>
      </Form>
    </section>
  );
}
