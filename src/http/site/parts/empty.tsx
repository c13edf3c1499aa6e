import type { ComponentChildren } from 'preact';

/** The place of a list without entries: a sentence and the next step. */
export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action !== undefined && <div class="actions">{action}</div>}
    </div>
  );
}
