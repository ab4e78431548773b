// The button that switches the colour theme: system, light, dark.

import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { chooseTheme, storedTheme, THEMES, type Theme } from '../theme.ts';

const ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;
const WORDS = { system: 'system', light: 'light', dark: 'dark' } as const;

export const ThemeButton = () => {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  const label = `Theme: ${WORDS[theme]}. Switch to ${WORDS[next]}.`;
  return (
    <Button
      tone="plain"
      icon={ICONS[theme]}
      aria-label={label}
      title={label}
      onClick={() => {
        chooseTheme(next);
        setTheme(next);
      }}
    />
  );
};
