// One request of the API on the way to a measurement: what it answers, or an error with the server's own words.

export const call = async (url: string, of: { key: string; request: string; body?: object }) => {
  const [method, route] = of.request.split(' ') as [string, string];
  const response = await fetch(`${url}/api/v1${route}`, {
    method,
    headers: { authorization: `Bearer ${of.key}`, ...(of.body ? { 'content-type': 'application/json' } : {}) },
    ...(of.body ? { body: JSON.stringify(of.body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${of.request}: ${text}`);
  return JSON.parse(text).data;
};
