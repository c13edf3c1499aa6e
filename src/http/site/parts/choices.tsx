type Choice = { readonly href: string; readonly name: string; readonly isChosen: boolean };

/** Links to other views of the page or the part below; `current` is what the chosen one is to a screen reader. */
export function Choices({
  label,
  choices,
  current = 'true',
}: {
  label: string;
  choices: readonly Choice[];
  current?: 'page' | 'true';
}) {
  return (
    <nav class="choices" aria-label={label}>
      {choices.map(({ href, name, isChosen }) => (
        <a key={name} href={href} aria-current={isChosen ? current : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
