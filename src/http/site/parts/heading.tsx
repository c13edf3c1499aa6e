import type { ComponentChildren } from 'preact';
import { inLanguage } from './item-title.tsx';

/** The page's only h1, with a line below it and actions beside it. `language` is the title's if it is not English, null if unknown. */
export function PageHeading({
  title,
  language,
  lead,
  children,
}: {
  title: ComponentChildren;
  language?: string | null | undefined;
  lead?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <header class="page-heading">
      <div>
        <h1 {...(language === undefined ? {} : inLanguage(language))}>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
}

/** A message about what just happened or what is wrong; screen readers read a bad one at once. */
export function Notice({
  kind,
  children,
}: {
  kind: 'good' | 'bad' | 'warn' | 'plain';
  children: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
