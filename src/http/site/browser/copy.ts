const SHOWN_FOR = 2000;

/** Makes each copy button copy the line beside it and say so, on screen and to screen readers. */
export function serveCopyButtons(): void {
  const spoken = document.createElement('div');
  spoken.className = 'unseen';
  spoken.setAttribute('role', 'status');
  document.querySelector('main')?.append(spoken);
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]'))
    button.addEventListener('click', () => void copyBeside(button, spoken));
}

async function copyBeside(button: HTMLButtonElement, spoken: HTMLElement): Promise<void> {
  const line = button.parentElement?.querySelector('code');
  if (!line) return;
  const said = (await copy(line)) ? 'Copied' : 'Selected';
  const name = button.textContent;
  button.textContent = said;
  spoken.textContent = said;
  setTimeout(() => {
    button.textContent = name === said ? 'Copy' : name;
    spoken.textContent = '';
  }, SHOWN_FOR);
}

/** Over plain http browsers offer no clipboard: then the line is only selected, for the reader to copy. */
async function copy(line: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(line.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(line);
    return false;
  }
}
