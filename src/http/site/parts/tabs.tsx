import type { ComponentChildren } from 'preact';

type Tab = { readonly name: string; readonly body: ComponentChildren };

/** Tabs, the first one open. They are radio inputs, so that arrow keys work and no script is needed. `id` is unique on the page. */
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
