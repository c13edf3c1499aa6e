type Theme = 'light' | 'dark';

const NAME = 'theme';
const OTHER: Readonly<Record<Theme, Theme>> = { light: 'dark', dark: 'light' };
const SENTENCE: Readonly<Record<Theme, string>> = { light: 'Light theme', dark: 'Dark theme' };

const system = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = (): Theme => (system.matches ? 'dark' : 'light');
const shownTheme = (): Theme => readTheme() ?? systemTheme();

/** Applies the reader's choice of theme, if there is one. */
export function applyTheme(): void {
  const theme = readTheme();
  if (theme === null) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Makes the button switch to the theme it names; switching back to the system's theme forgets the choice. */
export function serveThemeButton(): void {
  const button = document.querySelector('[data-theme-button]');
  if (button === null) return;
  const name = () => {
    button.textContent = SENTENCE[OTHER[shownTheme()]];
  };
  button.addEventListener('click', () => {
    const wanted = OTHER[shownTheme()];
    keepTheme(wanted === systemTheme() ? null : wanted);
    applyTheme();
    name();
  });
  system.addEventListener('change', name);
  name();
}

let unkept: Theme | null = null;

function readTheme(): Theme | null {
  const kept = fromStorage(() => localStorage.getItem(NAME));
  return kept === 'light' || kept === 'dark' ? kept : unkept;
}

function keepTheme(theme: Theme | null): void {
  unkept = theme;
  fromStorage(() => (theme === null ? localStorage.removeItem(NAME) : localStorage.setItem(NAME, theme)));
}

/** A browser that blocks storage throws even at the name `localStorage`. */
function fromStorage<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
