/** One physical line to paste elsewhere. Its button needs the script, which also shows it. */
export function CopyLine({ text, label }: { text: string; label?: string }) {
  return (
    <figure class="copy-line">
      {label !== undefined && <figcaption>{label}</figcaption>}
      <code>{text}</code>
      <button type="button" class="button quiet script-only" data-copy aria-label={label && `Copy: ${label}`}>
        Copy
      </button>
    </figure>
  );
}
