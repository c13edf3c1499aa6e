import type { ComponentChildren } from 'preact';

/** A list without entries: what would be here, and the next step to it. */
export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action !== undefined && <div class="actions">{action}</div>}
    </div>
  );
}
