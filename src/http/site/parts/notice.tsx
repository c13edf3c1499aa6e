import type { ComponentChildren } from 'preact';

/** What just happened or stands in the way; a bad one is read out at once. */
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
