/** Names a test by whom its input is about. */

const MIN_LENGTH = 3;
const MAX_LENGTH = 100;

/** @param input what a workflow received */
export function testNameOf(input: unknown): string {
  const { customer, identity } = (input ?? {}) as {
    readonly customer?: { readonly id?: unknown; readonly email?: unknown };
    readonly identity?: { readonly identifier?: unknown };
  };
  const subject = [customer?.email, identity?.identifier, customer?.id].find(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  );
  if (subject === undefined) return 'Anonymous session';
  const name = subject.trim().slice(0, MAX_LENGTH);
  return name.length < MIN_LENGTH ? `Customer ${name}` : name;
}
