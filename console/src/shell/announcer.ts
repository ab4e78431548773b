// Announces changes without a reload to screen readers: a new page, a copied ID, a lost connection.

const REGION = 'announcer';

export const announce = (text: string): void => {
  const region = document.getElementById(REGION);
  if (!region) return;
  // A screen reader does not repeat an unchanged text.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
};

export const Announcer = REGION;
