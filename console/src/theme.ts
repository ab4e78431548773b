// The colour theme: light, dark or that of the system. It is the only thing that the console stores beyond the tab.

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
  // Charts are drawn on a canvas, which has no style sheets. They redraw on this event.
  window.dispatchEvent(new Event('holdfast-theme'));
};

export const chooseTheme = (theme: Theme): void => {
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // The browser blocks storage: the choice lasts until the page is closed.
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
