// What a screen reader is told when something changed without a reload: a new page, a copied id, a lost connection.

const REGION = 'announcer';

export const announce = (text: string): void => {
  const region = document.getElementById(REGION);
  if (!region) return;
  // The same words twice would not be read twice.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
};

export const Announcer = REGION;
