// Light, dark, or as the system says. The choice outlives the tab; nothing else of the console does.

export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

const STORED = 'holdfast.theme';

export const storedTheme = (): Theme => {
  const found = readStored();
  return THEMES.find((theme) => theme === found) ?? 'system';
};

export const applyTheme = (theme: Theme = storedTheme()): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // Pictures drawn on a canvas know no style sheets: they are told.
  window.dispatchEvent(new Event('holdfast-theme'));
};

export const chooseTheme = (theme: Theme): void => {
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // Storage is closed in this browser: the choice holds until the page is left.
  }
  applyTheme(theme);
};

const readStored = (): string | null => {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
};
