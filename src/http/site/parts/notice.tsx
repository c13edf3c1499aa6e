import type { ComponentChildren } from 'preact';

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
