// Which statuses say that the request itself was refused. The others speak about our key, our rate or their health, and
// are nobody's refusal of the thing that was asked.

export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);
