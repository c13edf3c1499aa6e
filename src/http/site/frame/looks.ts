/**
 * The choices of readers, each by its cookie's name: its title, and the values with their names, of which the first is the
 * default. The site's script reads them too. A value's colours are in style/tokens.css, its button's mark in reader.css.
 */
export const LOOKS = {
  size: ['Text size', { medium: 'Medium', small: 'Small', large: 'Large' }],
  theme: ['Theme', { system: 'System', light: 'Light', dark: 'Dark' }],
} as const;
