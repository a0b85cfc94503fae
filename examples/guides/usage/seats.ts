import { tessera } from './tessera';

/** A member takes one seat, however often they sign in. */
export async function takeSeat(account: string, member: string): Promise<boolean> {
  const { allowed } = await tessera.consume('team-seats.seats', {
    on: { user: account },
    resource: member,
    fallback: 'deny',
  });
  return allowed;
}

export function freeSeat(account: string, member: string): void {
  tessera.count('team-seats.seats', { on: { user: account }, resource: member, release: true });
}
