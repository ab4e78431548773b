// Times as people read them: the local clock, with the date when it is not today.

const two = (value: number): string => String(value).padStart(2, '0');

const dateOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

export const clockOf = (iso: string): string => {
  const at = new Date(iso);
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  return dateOf(at) === dateOf(new Date()) ? clock : `${dateOf(at)} ${clock}`;
};

export const dayOf = (iso: string | null): string | null => {
  if (iso === null) return null;
  const at = new Date(iso);
  return `${dateOf(at)} ${two(at.getHours())}:${two(at.getMinutes())}`;
};
