import type { ComponentChildren } from 'preact';

type Tab = { readonly name: string; readonly body: ComponentChildren };

/** Bodies of which one is seen, the first unless another is chosen: radio inputs, so that arrow keys and no script do. `id` is unique on the page. */
export function Tabs({ id, label, tabs }: { id: string; label: string; tabs: readonly Tab[] }) {
  return (
    <fieldset class="tabs">
      <legend class="unseen">{label}</legend>
      {tabs.map(({ name, body }, index) => (
        <>
          <input type="radio" class="unseen" name={id} id={`${id}-${index}`} checked={index === 0} />
          <label for={`${id}-${index}`}>{name}</label>
          <div class="tab">{body}</div>
        </>
      ))}
    </fieldset>
  );
}
