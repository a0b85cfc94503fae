// The call that the client makes, by Node's own fetch alone: what an application that calls anything pays already.
const { TESSERA_URL, TESSERA_KEY } = process.env;

export async function open() {
  const response = await fetch(`${TESSERA_URL}/api/v1/access-checks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TESSERA_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ userIdentifier: 'ada@example.com' }),
  });
  const { features } = await response.json();
  return (times) => (Object.keys(features).length === 20 ? times : 0);
}
