import type { ComponentChildren } from 'preact';

/** The page's only h1, with a line below it and actions beside it. */
export function PageHeading({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <header class="page-heading">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
}
